/** What has been read from each source. */
import type { Database } from './database.ts'

/** When the latest document of a source was fetched, undefined where there is none. */
export async function lastFetchedAt(
  { kysely }: Pick<Database, 'kysely'>,
  source: string,
): Promise<Temporal.Instant | undefined> {
  const latest = await kysely
    .selectFrom('documents')
    .select('fetched_at')
    .where('source', '=', source)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.fetched_at
}
