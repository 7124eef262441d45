/** What has been read from each source. */
import type { Sql } from './database.ts'

/** When the latest document of a source was fetched, undefined where there is none. */
export async function lastFetchedAt(sql: Sql, source: string): Promise<Temporal.Instant | undefined> {
  const [row] = await sql<
    { at: Temporal.Instant | null }[]
  >`select max(fetched_at) as at from documents where source = ${source}`
  return row?.at ?? undefined
}
