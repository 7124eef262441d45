/** The contents of a table as a row count and a number, the same on every server, whatever the order of its rows. */
import type { Transaction } from '../database.ts'
import { type MovableTable, quoted } from './movable-tables.ts'

export interface TableDigest {
  rows: number
  /** The first 64 bits of each row's MD5, added up, in decimal. It detects damage, not attacks. */
  sum: string
}

/** How values read as text, so that two servers write the same value alike. */
const TEXT_FORMAT = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`

/** To be called once in the transactions whose values are compared or copied as text. */
export async function writeValuesAlike(tx: Transaction): Promise<void> {
  await tx.unsafe(TEXT_FORMAT).simple()
}

export async function digestTable(tx: Transaction, { name, columns }: MovableTable): Promise<TableDigest> {
  const row = `row(${columns.map((column) => quoted(column.name)).join(', ')})::text`
  const [digest] = await tx.unsafe<TableDigest[]>(`
    select count(*) as rows, coalesce(sum(('x' || substr(md5(${row}), 1, 16))::bit(64)::bigint), 0)::text as sum
    from ${quoted(name)}`)
  if (digest === undefined) throw new Error('an aggregate gave no row')
  return digest
}
