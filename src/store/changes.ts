/** The change log: sql/objects/changes.sql describes who writes it, and why a reader misses nothing. */
import type { ChangeDataset, ChangeKind } from '../api/contract/changes.ts'
import type { Sql, Transaction } from './database.ts'
import { queryText } from './sql-files.ts'

/** How long changes are kept. */
export const CHANGE_RETENTION_DAYS = 90

export interface Change {
  position: number
  occurredAt: Temporal.Instant
  kind: ChangeKind
  /** Null: all of them. */
  dataset: ChangeDataset | null
  asset: string | null
  zones: string[] | null
  /** YYYY-MM-DD */
  day: string | null
  version: number | null
  synthetic: boolean
  details: Record<string, unknown>
  /** The first key of the only holder who can see it; null: visible to everybody. */
  keyRoot: string | null
}

/** A row of `changes` as stored for webhooks. */
export type StoredChange = Pick<
  Change,
  'position' | 'kind' | 'dataset' | 'asset' | 'zones' | 'version' | 'synthetic' | 'details'
> & {
  occurred_at: string
  market_day: string | null
}

export function changeOfStored({ occurred_at, market_day, ...row }: StoredChange): Change {
  return { ...row, occurredAt: Temporal.Instant.from(occurred_at), day: market_day, keyRoot: null }
}

export interface ChangeLog {
  /** Identifies the change log. */
  id: string
  /** The last assigned position. */
  position: number
  /** Changes up to this position can be read: their prices are in the aggregates. */
  readable: number
  /** Changes up to this position are no longer kept. */
  removed: number
}

interface ChangePage {
  log: ChangeLog
  changes: Change[]
  /** The position to resume from. */
  next: number
}

export interface ChangeStore {
  log(): Promise<ChangeLog>
  /** Returns the changes after a position in order, filtered by dataset. Changes that concern all datasets always pass. */
  after(position: number, options: ChangeFilter & { limit: number }): Promise<ChangePage>
}

export interface ChangeFilter {
  /** Changes that concern all datasets pass too. Undefined: all. */
  datasets?: readonly ChangeDataset[] | undefined
  /** Undefined: all. */
  kinds?: readonly ChangeKind[] | undefined
  /** The first key of the holder whose own changes pass. Undefined: everybody's. */
  keyRoot?: string | undefined
}

const LIST_AFTER = queryText('changes_list_after')

type Row = { log: ChangeLog } & (Change | { position: null })

export function changeStore(sql: Sql): ChangeStore {
  const after: ChangeStore['after'] = async (position, { datasets, kinds, keyRoot, limit }) => {
    const rows = await sql.unsafe<Row[]>(LIST_AFTER, [
      position,
      datasets === undefined ? null : [...datasets],
      limit,
      keyRoot ?? null,
      kinds === undefined ? null : [...kinds],
    ])
    const log = rows[0]?.log
    if (log === undefined) throw new Error('change_log has no row')
    const changes = rows.flatMap(({ log: _log, ...row }) => (row.position === null ? [] : [row]))
    const last = changes.at(-1)
    return { log, changes, next: changes.length === limit && last ? last.position : Math.max(position, log.readable) }
  }
  return { after, log: async () => (await after(0, { limit: 0 })).log }
}

interface NewChange {
  kind: ChangeKind
  dataset: ChangeDataset
  market_day?: string
  /** Only this holder sees it. */
  key_root?: string
  details: Record<string, unknown>
}

/** Appends changes to the log. Call it last in the transaction that makes them: other writers wait for its commit. */
export async function recordChanges(
  tx: Transaction,
  changes: readonly NewChange[],
  { sources, at }: { sources: readonly string[]; at: Temporal.Instant },
): Promise<void> {
  await tx`
    select record_changes(
      ${JSON.stringify(changes)}::text::jsonb,
      exists (select from sources where id = any (${[...sources]}::text[]) and synthetic),
      ${at}::timestamptz
    )`
}

/** Deletes all changes before the oldest recent one, so that the log has no gaps, and the old webhook events and deliveries about changes. */
export async function removeOldChanges(sql: Sql, now: Temporal.Instant): Promise<void> {
  const before = now.subtract({ hours: 24 * CHANGE_RETENTION_DAYS })
  await sql.begin(async (tx: Transaction) => {
    const [log] = await tx<{ removed: number }[]>`
      update change_log set removed = coalesce(
        (select min(c.position) - 1 from changes c where c.occurred_at >= ${before}::timestamptz), position
      ) returning removed`
    await tx`delete from changes where position <= ${log?.removed ?? 0}`
    await tx`
      delete from webhook_deliveries d using webhook_events e
      where d.event_id = e.id and e.kind = 'changed' and e.triggered_at < ${before}::timestamptz`
    await tx`delete from webhook_events where kind = 'changed' and triggered_at < ${before}::timestamptz`
  })
}
