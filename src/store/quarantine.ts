/** Days and documents that failed the gate, and an operator's decisions about them. */
import type { Kysely } from 'kysely'
import type { Sql } from './database.ts'
import type { StoredCounts } from './price-writer.ts'
import { run, runOne } from './run.ts'
import type { Schema } from './schema.generated.ts'

export const QUARANTINE_STATUSES = ['open', 'accepted', 'rejected'] as const
type QuarantineStatus = (typeof QUARANTINE_STATUSES)[number]

export interface QuarantinedDay {
  id: number
  source: string
  /** `zone:nord`, `asset:PSV`, or `document` if no single day is concerned. */
  series: string
  /** YYYY-MM-DD */
  marketDay: string | null
  resolutionMinutes: number | null
  /** Fault codes. */
  reasons: string[]
  /** One sentence per fault. */
  details: string[]
  /** By ordinal; null if the document has no price. */
  prices: (number | null)[] | null
  status: string
  quarantinedAt: Temporal.Instant
  /** File or address, and hash, of the document. */
  address: string
  sha256: string
}

/** Newest first. */
export async function listQuarantine(sql: Sql, status: QuarantineStatus, limit: number): Promise<QuarantinedDay[]> {
  return run(sql, (db) => quarantine(db).where('q.status', '=', status).orderBy('q.id', 'desc').limit(limit))
}

export async function findQuarantined(sql: Sql, id: number): Promise<QuarantinedDay | undefined> {
  return runOne(sql, (db) => quarantine(db).where('q.id', '=', id))
}

/** Stores the day with its gaps. Throws if it is not open, has nothing to store, or would replace a complete day with one that has gaps. */
export async function acceptQuarantined(sql: Sql, id: number, at: Temporal.Instant): Promise<StoredCounts> {
  const [counts] = await sql<StoredCounts[]>`
    select stored, unchanged, corrected, outranked from accept_quarantined_day(${id}, ${at}::timestamptz)`
  if (counts === undefined) throw new Error(`accept_quarantined_day returned nothing for ${id}`)
  return counts
}

/** Returns false if there is no such open day. */
export async function rejectQuarantined(sql: Sql, id: number, at: Temporal.Instant): Promise<boolean> {
  const { count } = await run(sql, (db) =>
    db
      .updateTable('quarantined_days')
      .set({ status: 'rejected', resolved_at: at })
      .where('id', '=', id)
      .where('status', '=', 'open'),
  )
  return count > 0
}

function quarantine(kysely: Kysely<Schema>) {
  return kysely
    .selectFrom('quarantined_days as q')
    .innerJoin('documents as d', 'd.id', 'q.document_id')
    .select([
      'q.id',
      'q.source',
      'q.series',
      'q.market_day as marketDay',
      'q.resolution_minutes as resolutionMinutes',
      'q.reasons',
      'q.details',
      'q.prices',
      'q.status',
      'q.quarantined_at as quarantinedAt',
      'd.address',
      'd.sha256',
    ])
}
