/** Work that a server does automatically and that the embedded engine, which has no autovacuum, lacks. It does a server no harm. */
import type { Sql } from './database.ts'
import { queryText } from './sql-files.ts'

/** Growth of the price tables since the last analyze above which plans may no longer fit: about 10,000 intervals. */
const GROWN_BYTES = 1024 * 1024

/** Reclaims the space of old row versions and updates the planner's statistics. Runs outside a transaction, as VACUUM demands. */
export async function vacuum(sql: Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)')
}

/** Describes new rows after a large ingest, if there has been one since the last time; returns whether there has. */
export async function analyzeIfGrown(sql: Sql): Promise<boolean> {
  const [row] = await sql.unsafe<{ bytes: number }[]>(queryText('tables_sum_growth'))
  if (row === undefined || row.bytes < GROWN_BYTES) return false
  await analyze(sql)
  return true
}

/**
 * Updates the planner's statistics, and the block range indexes, which know new blocks only once they are summarised: until then the refresh
 * of a day reads all of them.
 */
export async function analyze(sql: Sql): Promise<void> {
  await sql`analyze`
  await sql`
    select brin_summarize_new_values(c.oid)
    from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'brin' and c.relkind = 'i' and pg_has_role(c.relowner, 'usage')`
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
