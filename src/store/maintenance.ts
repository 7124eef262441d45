/** Work that a server does automatically and that the embedded engine, which has no autovacuum, lacks. It does a server no harm. */
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

/** Growth of the price tables since the last analyze above which plans may no longer fit: about 10,000 intervals. */
const GROWN_BYTES = 1024 * 1024

/** Reclaims the space of old row versions and updates the planner's statistics. Runs outside a transaction, as VACUUM demands. */
export async function vacuum(sql: Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)')
}

/** Updates the planner's statistics where much has been stored since the last time; returns whether it did. */
export async function analyzeIfGrown(sql: Sql): Promise<boolean> {
  const [row] = await sql.unsafe<{ bytes: number }[]>(query('tables_sum_growth'))
  if (row === undefined || row.bytes < GROWN_BYTES) return false
  await sql.unsafe('analyze')
  return true
}

/** Hypertables whose old chunks are compressed (columnstore), with the type of their time. */
const COMPRESSED = { offers: 'date', price_intervals: 'timestamptz', fundamentals: 'timestamptz' } as const

/**
 * Compresses the chunks that end before that day, and recompresses those written to since. Each in a transaction of its own: until its end
 * nobody can read the chunk.
 */
export async function compressOldChunks(sql: Sql, before: string): Promise<void> {
  for (const [table, type] of Object.entries(COMPRESSED)) {
    const chunks = await sql.unsafe<{ chunk: string }[]>(
      `select show_chunks($1, older_than => $2::${type})::text as chunk`,
      [table, before],
    )
    for (const { chunk } of chunks) await sql`select compress_chunk(${chunk}::regclass, if_not_compressed => true)`
  }
}
