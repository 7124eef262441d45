/** What a server does by itself and the embedded engine, which has no autovacuum, leaves to us. Neither harms a server. */
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

/** Growth of the prices' tables since their statistics were taken from which on plans may no longer fit: about 10,000 intervals. */
const GROWN_BYTES = 1024 * 1024

/** Gives the space of old row versions back and takes the planner's statistics. Runs outside a transaction, as VACUUM demands. */
export async function vacuum(sql: Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)')
}

/** Takes the planner's statistics where much has been stored since they were taken last; tells whether it did. */
export async function analyzeIfGrown(sql: Sql): Promise<boolean> {
  const [row] = await sql.unsafe<{ bytes: number }[]>(query('tables_sum_growth'))
  if (row === undefined || row.bytes < GROWN_BYTES) return false
  await sql.unsafe('analyze')
  return true
}

/** Hypertables whose old chunks are compressed, with the type of their time. */
const COMPRESSED = { offers: 'date', price_intervals: 'timestamptz' } as const

/** Compresses the chunks that end before that day; those that were written to since, again. */
export async function compressOldChunks(sql: Sql, before: string): Promise<void> {
  for (const [table, type] of Object.entries(COMPRESSED)) {
    await sql.unsafe(
      `select compress_chunk(chunk, if_not_compressed => true) from show_chunks($1, older_than => $2::${type}) as chunk`,
      [table, before],
    )
  }
}
