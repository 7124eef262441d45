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

/** Packs the chunks of offers that end before that day, and again those that were written to since. */
export async function compressOldOffers(sql: Sql, before: string): Promise<void> {
  await sql`select compress_chunk(chunk, if_not_compressed => true) from show_chunks('offers', older_than => ${before}::date) as chunk`
}
