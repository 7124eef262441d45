/** The documents read from each source. */
import type { Database, Transaction } from './database.ts'
import type { DocumentOrigin } from './price-writer.ts'

/** When the latest document of a source was fetched, undefined where there is none. */
export async function lastFetchedAt(
  { kysely }: Pick<Database, 'kysely'>,
  source: string,
): Promise<Temporal.Instant | undefined> {
  const db = await kysely()
  const latest = await db
    .selectFrom('documents')
    .select('fetched_at')
    .where('source', '=', source)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.fetched_at
}

/** Id of the document; one read before keeps its first record. */
export async function recordDocument(tx: Transaction, source: string, document: DocumentOrigin): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into documents as d (sha256, source, address, bytes, fetched_at)
    values (${document.sha256}, ${source}, ${document.address}, ${document.bytes}, ${document.fetchedAt.toString()}::timestamptz)
    on conflict (sha256, source, address) do update set sha256 = d.sha256
    returning id`
  if (row === undefined) throw new Error('no document id')
  return row.id
}
