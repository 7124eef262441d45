/** The publisher's validators (ETag, Last-Modified) of each document last accepted in full, for conditional requests. */
import type { Sql } from './database.ts'
import { run, runOne } from './run.ts'

interface DocumentValidators {
  etag: string | null
  lastModified: string | null
}

export async function findValidators(
  sql: Sql,
  source: string,
  address: string,
): Promise<DocumentValidators | undefined> {
  return runOne(sql, (db) =>
    db
      .selectFrom('document_validators')
      .select(['etag', 'last_modified as lastModified'])
      .where('source', '=', source)
      .where('address', '=', address),
  )
}

/** Call it only after the whole document has been accepted and stored: the publisher will not send it again. */
export async function saveValidators(
  sql: Sql,
  document: { source: string; address: string; etag: string | undefined; lastModified: string | undefined },
  at: Temporal.Instant,
): Promise<void> {
  const { source, address, etag = null, lastModified = null } = document
  if (etag === null && lastModified === null) return
  const validators = { etag, last_modified: lastModified, accepted_at: at }
  await run(sql, (db) =>
    db
      .insertInto('document_validators')
      .values({ source, address, ...validators })
      .onConflict((last) => last.columns(['source', 'address']).doUpdateSet(validators)),
  )
}
