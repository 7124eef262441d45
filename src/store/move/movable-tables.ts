/** The tables that make up a database's contents, read from its catalogue, in an order in which they can be filled. */
import type { Sql, Transaction } from '../database.ts'
import { queryText } from '../sql-files.ts'

export interface MovableTable {
  name: string
  /** Columns, except those that the database computes. */
  columns: { name: string; type: string }[]
  /** Columns of the primary key. */
  key: string[]
  /** The identity column, numbered by the database. */
  identity: string | null
  /** Tables that its foreign keys point to. */
  references: string[]
}

/** Filled by the migrations, so these have rows even in an unused database. */
export const FILLED_BY_MIGRATIONS: readonly string[] = [
  'assets',
  'change_log',
  'change_queue',
  'data_version',
  'holidays',
  'key_version',
  'price_limits',
  'sample_data',
  'sources',
  'tariff_band_shares',
  'zones',
]

/**
 * Returns every table after those it references. Tables that the migrations fill come first: triggers read `sample_data` and `sources`.
 * Bookkeeping, unlogged tables and bulk files are left out.
 */
export async function listMovableTables(sql: Sql | Transaction): Promise<MovableTable[]> {
  const rows = await sql.unsafe<MovableTable[]>(queryText('tables_list_movable'))
  const isFilled = ({ name }: MovableTable) => FILLED_BY_MIGRATIONS.includes(name)
  const sorted = rows.toSorted((a, b) => Number(isFilled(b)) - Number(isFilled(a)))
  const waiting = new Map(sorted.map((table) => [table.name, table]))
  const ordered: MovableTable[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter(({ name, references }) =>
      references.every((other) => other === name || !waiting.has(other)),
    )
    if (next.length === 0) throw new Error(`circular foreign keys: ${[...waiting.keys()].join(', ')}`)
    for (const table of next) waiting.delete(table.name)
    ordered.push(...next)
  }
  return ordered
}

/** Quotes an identifier, although it comes from the catalogue: `price_intervals` becomes `"price_intervals"`. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
