/** The publisher's validators (ETag, Last-Modified) of each document last accepted in full, for conditional requests. */
import type { Sql } from './database.ts'

interface DocumentValidators {
  etag: string | null
  lastModified: string | null
}

export async function findValidators(
  sql: Sql,
  source: string,
  address: string,
): Promise<DocumentValidators | undefined> {
  const [row] = await sql<{ etag: string | null; last_modified: string | null }[]>`
    select etag, last_modified from document_validators where source = ${source} and address = ${address}`
  return row && { etag: row.etag, lastModified: row.last_modified }
}

/** To be called only after everything in the document has been accepted and stored: it will not be sent again. */
export async function rememberValidators(
  sql: Sql,
  document: { source: string; address: string; etag: string | undefined; lastModified: string | undefined },
  at: Temporal.Instant,
): Promise<void> {
  const { source, address, etag = null, lastModified = null } = document
  if (etag === null && lastModified === null) return
  await sql`
    insert into document_validators (source, address, etag, last_modified, accepted_at)
    values (${source}, ${address}, ${etag}, ${lastModified}, ${at.toString()}::timestamptz)
    on conflict (source, address) do update
      set etag = excluded.etag, last_modified = excluded.last_modified, accepted_at = excluded.accepted_at`
}
