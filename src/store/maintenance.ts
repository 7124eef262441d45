/** Maintenance that autovacuum does on a server and the embedded engine lacks. It is harmless on a server. */
import type { Sql } from './database.ts'
import { queryText } from './sql-files.ts'

/** Growth of the price tables since the last analyze above which query plans may no longer fit: about 10,000 intervals. */
const GROWN_BYTES = 1024 * 1024

/** Reclaims the space of old row versions and updates the planner's statistics. Runs outside a transaction, as VACUUM requires. */
export async function vacuum(sql: Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)')
}

/** Runs `analyze` if the price tables have grown much since the last time, as after a large ingest; returns whether it did. */
export async function analyzeIfGrown(sql: Sql): Promise<boolean> {
  const [row] = await sql.unsafe<{ bytes: number }[]>(queryText('tables_sum_growth'))
  if (row === undefined || row.bytes < GROWN_BYTES) return false
  await analyze(sql)
  return true
}

/**
 * Updates the planner's statistics and summarises new blocks in the block range indexes: until then, the refresh of a day reads all of
 * these blocks.
 */
export async function analyze(sql: Sql): Promise<void> {
  await sql`analyze`
  await sql`
    select brin_summarize_new_values(c.oid)
    from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'brin' and c.relkind = 'i' and pg_has_role(c.relowner, 'usage')`
}

/** Hypertables whose old chunks are compressed (columnstore), with the type of their time column. */
const COMPRESSED = {
  offers: 'date',
  price_intervals: 'timestamptz',
  fundamentals: 'timestamptz',
  fundamental_revisions: 'timestamptz',
} as const

/**
 * Compresses the chunks that end before that day, and recompresses those written to since. Each chunk has its own transaction, since nobody
 * can read the chunk until it ends.
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
