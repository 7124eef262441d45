/** Copies the rows of a table from one database into another as text, a few thousand at a time. */
import type { Transaction } from '../database.ts'
import { type MovableTable, quoted } from './movable-tables.ts'

const ROWS_AT_ONCE = 5_000
/** Rows at a time for tables with binary columns, such as trained models of some megabytes. */
const LARGE_ROWS_AT_ONCE = 10

/** Appends all rows, then continues the sequences. */
export async function copyTable(from: Transaction, to: Transaction, table: MovableTable): Promise<void> {
  const insert = insertStatement(table)
  const fetch = `fetch forward ${batchSize(table)} from moved_rows`
  await from.unsafe(declareStatement(table))
  for (;;) {
    const rows = await from.unsafe(fetch).values()
    if (rows.length === 0) break
    await to.unsafe(
      insert,
      table.columns.map((_, i) => rows.map((row) => row[i] as string | null)),
    )
  }
  await from.unsafe('close moved_rows')
  if (table.identity !== null) await copySequence(from, to, table.name, table.identity)
}

/** A table that references itself is copied in one statement: its foreign keys are checked at the end. */
function batchSize({ name, columns, references }: MovableTable): number | 'all' {
  if (references.includes(name)) return 'all'
  return columns.some(({ type }) => type === 'bytea') ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE
}

/** Ordered by the key, so that a hypertable's rows arrive chunk by chunk. */
function declareStatement({ name, columns, key }: MovableTable): string {
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  const order = key.length === 0 ? '' : ` order by ${key.map(quoted).join(', ')}`
  return `declare moved_rows no scroll cursor for select ${texts} from ${quoted(name)}${order}`
}

function insertStatement({ name, columns }: MovableTable): string {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map((column) => `${quoted(column.name)}::${column.type}`).join(', ')
  const arrays = columns.map((_, i) => `$${i + 1}::text[]`).join(', ')
  return `insert into ${quoted(name)} (${names}) overriding system value select ${values} from unnest(${arrays}) as moved (${names})`
}

async function copySequence(from: Transaction, to: Transaction, table: string, column: string): Promise<void> {
  const sequence = async (tx: Transaction) => {
    const [row] = await tx<{ name: string }[]>`select pg_get_serial_sequence(${table}, ${column}) as name`
    if (row === undefined) throw new Error('a function gave no row')
    return row.name
  }
  const [last] = await from.unsafe<{ value: string; called: boolean }[]>(
    `select last_value::text as value, is_called as called from ${await sequence(from)}`,
  )
  if (last === undefined) throw new Error('a sequence gave no row')
  await to`select setval(${await sequence(to)}::regclass, ${last.value}::bigint, ${last.called})`
}
