/** The documents read from each source. */
import type { Sql, Transaction } from './database.ts'
import type { DocumentOrigin } from './price-writer.ts'
import { runOne } from './run.ts'

/** Returns when the latest document of a source was fetched; undefined if there is none. */
export async function lastFetchedAt(sql: Sql, source: string): Promise<Temporal.Instant | undefined> {
  const latest = await runOne(sql, (db) =>
    db.selectFrom('documents').select('fetched_at').where('source', '=', source).orderBy('fetched_at', 'desc').limit(1),
  )
  return latest?.fetched_at
}

/** Records a document and returns its id; a document read before keeps its first record. */
export async function recordDocument(tx: Transaction, source: string, document: DocumentOrigin): Promise<number> {
  const { sha256, address, bytes, fetchedAt: fetched_at } = document
  const row = await runOne(tx, (db) =>
    db
      .insertInto('documents')
      .values({ sha256, source, address, bytes, fetched_at })
      .onConflict((read) =>
        read.columns(['sha256', 'source', 'address']).doUpdateSet(({ ref }) => ({ sha256: ref('documents.sha256') })),
      )
      .returning('id'),
  )
  if (row === undefined) throw new Error('no document id')
  return row.id
}
