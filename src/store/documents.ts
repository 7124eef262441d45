/** The documents read from each source. */
import type { Sql, Transaction } from './database.ts'
import { runOne } from './run.ts'

/** A file or response as found; `address` is its URL, or its name if it was imported. */
export interface DocumentOrigin {
  sha256: string
  address: string
  bytes: number
  fetchedAt: Temporal.Instant
}

/** Returns when the latest document of a source was fetched; undefined if there is none. */
export async function lastFetchedAt(sql: Sql, source: string): Promise<Temporal.Instant | undefined> {
  const latest = await runOne(sql, (db) =>
    db.selectFrom('documents').select('fetched_at').where('source', '=', source).orderBy('fetched_at', 'desc').limit(1),
  )
  return latest?.fetched_at
}

/** Returns the id of a recorded document. */
export async function recordDocument(tx: Transaction, source: string, document: DocumentOrigin): Promise<number> {
  const ids = await recordDocuments(tx, source, [document])
  return ids.get(documentKey(document)) as number
}

/** Records documents and returns their ids by key; a document read before keeps its first record. */
export async function recordDocuments(
  tx: Transaction,
  source: string,
  documents: readonly DocumentOrigin[],
): Promise<Map<string, number>> {
  const list = [...new Map(documents.map((document) => [documentKey(document), document])).values()]
  if (list.length === 0) return new Map()
  const rows = await tx<{ id: number; sha256: string; address: string }[]>`
    insert into documents as d (sha256, source, address, bytes, fetched_at)
    select u.sha256, ${source}, u.address, u.bytes, u.fetched_at
    from unnest(
      ${list.map(({ sha256 }) => sha256)}::text[],
      ${list.map(({ address }) => address)}::text[],
      ${list.map(({ bytes }) => bytes)}::bigint[],
      ${list.map(({ fetchedAt }) => fetchedAt)}::timestamptz[]
    ) as u (sha256, address, bytes, fetched_at)
    on conflict (sha256, source, address) do update set sha256 = d.sha256
    returning id, sha256, address`
  return new Map(rows.map((row) => [documentKey(row), row.id]))
}

export function documentKey({ sha256, address }: Pick<DocumentOrigin, 'sha256' | 'address'>): string {
  return `${sha256} ${address}`
}
