/** The only writer of the offers portal's other values. The rules of replacement are in sql/objects/store_published_values.sql. */
import type { PublishedValues } from '../publishers/arera-offers/offer.ts'
import type { Sql, Transaction } from './database.ts'
import { type DocumentOrigin, recordDocument } from './documents.ts'

export interface PublishedCounts {
  stored: number
  unchanged: number
  corrected: number
}

export async function writePublishedValues(
  sql: Sql,
  source: string,
  document: DocumentOrigin,
  { series, values }: PublishedValues,
  storedAt: Temporal.Instant,
): Promise<PublishedCounts> {
  return sql.begin(async (tx: Transaction) => {
    const documentId = await recordDocument(tx, source, document)
    const [counts] = await tx<PublishedCounts[]>`
      select stored, unchanged, corrected
      from store_published_values(
        ${source}, ${series},
        ${values.map(({ name }) => name)}::text[],
        ${values.map(({ validOn }) => validOn)}::date[],
        ${values.map(({ value }) => value)}::double precision[],
        ${values.map(({ unit }) => unit ?? null)}::text[],
        ${values.map(({ description }) => description ?? null)}::text[],
        ${documentId}, ${storedAt}::timestamptz
      )`
    if (counts === undefined) throw new Error('store_published_values returned nothing')
    return counts
  })
}
