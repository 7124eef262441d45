/**
 * Events of sources, each logged once. Corrected and quarantined days are recorded in the transaction that stores them (`price-writer.ts`),
 * all others here. Logging happens afterwards (`announce`), so that a restart neither loses nor repeats an event.
 */
import type { MarketDay } from '../market/market-day.ts'
import type { SourceEvent, SourceEventKind } from '../platform/events.ts'
import { recordChanges } from './changes.ts'
import type { Sql, Transaction } from './database.ts'

/** Records days as late, each at most once; the first of them also marks the source as away. */
export async function recordLateDays(
  sql: Sql,
  source: string,
  days: readonly MarketDay[],
  at: Temporal.Instant,
): Promise<void> {
  if (days.length === 0) return
  await sql.begin(async (tx: Transaction) => {
    const recorded = await tx<{ day: string }[]>`
      insert into source_events (source, kind, market_day, occurred_at)
      select ${source}, 'late', day, ${at}::timestamptz from unnest(${days}::date[]) as day order by day
      on conflict do nothing
      returning market_day as day`
    if (recorded.length === 0) return
    await tx`
      insert into source_states as s (source, away_since) values (${source}, ${at}::timestamptz)
      on conflict (source) do update set away_since = coalesce(s.away_since, excluded.away_since)`
    const late = recorded.map(({ day }) => ({
      kind: 'source.late' as const,
      dataset: 'sources' as const,
      market_day: day,
      details: { source },
    }))
    await recordChanges(tx, late, { sources: [source], at })
  })
}

/** Records that days are complete: closes their events, and reports the source as back if it was away or had refused access. */
export async function markComplete(
  sql: Sql,
  source: string,
  days: readonly MarketDay[],
  at: Temporal.Instant,
): Promise<void> {
  if (days.length === 0) return
  await sql.begin(async (tx: Transaction) => {
    await tx`
      insert into publications as p (source, market_day, attempts, outcome, asked_at)
      select ${source}, day, 1, 'complete', ${at}::timestamptz from unnest(${days}::date[]) as day
      on conflict (source, market_day) do update
        set attempts = p.attempts + 1, outcome = 'complete', asked_at = excluded.asked_at, ask_again_at = null`
    await close(tx, source, ['late', 'quarantined'], days, at)
    const [state] = await tx<{ since: Temporal.Instant }[]>`
      select least(away_since, refused_since) as since from source_states
      where source = ${source} and least(away_since, refused_since) is not null
      for update`
    if (state === undefined) return
    await tx`update source_states set away_since = null, refused_since = null where source = ${source}`
    await close(tx, source, ['refused'], [], at)
    await tx`
      insert into source_events (source, kind, occurred_at, closed_at, facts)
      values (
        ${source}, 'back', ${at}::timestamptz, ${at}::timestamptz,
        jsonb_build_object('since', ${state.since.toString()}::text)
      )
      on conflict do nothing`
    const details = { source, since: state.since.toString() }
    await recordChanges(tx, [{ kind: 'source.recovered', dataset: 'sources', details }], { sources: [source], at })
  })
}

/** Records that days have passed the gate (again): closes their quarantine. */
export async function closeQuarantined(
  sql: Sql,
  source: string,
  days: readonly MarketDay[],
  at: Temporal.Instant,
): Promise<void> {
  if (days.length > 0) await close(sql, source, ['quarantined'], days, at)
}

/** Records that the source refuses the credentials; logged once until it delivers again. */
export async function recordRefused(sql: Sql, source: string, reason: string, at: Temporal.Instant): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    const first = await tx`
      insert into source_states as s (source, refused_since) values (${source}, ${at}::timestamptz)
      on conflict (source) do update set refused_since = excluded.refused_since where s.refused_since is null
      returning source`
    if (first.length === 0) return
    await tx`
      insert into source_events (source, kind, occurred_at, facts)
      values (${source}, 'refused', ${at}::timestamptz, jsonb_build_object('reason', ${reason}::text))
      on conflict do nothing`
  })
}

/** Days of the source with an open event. */
export async function listOpenDays(sql: Sql, source: string): Promise<MarketDay[]> {
  const rows = await sql<{ market_day: string }[]>`
    select distinct market_day from source_events
    where source = ${source} and kind in ('late', 'quarantined') and closed_at is null and market_day is not null`
  return rows.map((row) => Temporal.PlainDate.from(row.market_day))
}

/**
 * Emits events not yet emitted, in order of occurrence. If the process is killed before the commit, they are emitted again under the same
 * ids; concurrent processes never emit the same event.
 */
export async function emitPendingEvents(
  sql: Sql,
  at: Temporal.Instant,
  emit: (event: SourceEvent) => void,
): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    const events = await tx<SourceEvent[]>`
      select id, source, kind, market_day as "marketDay", occurred_at as "occurredAt", facts
      from source_events where announced_at is null order by id for update skip locked`
    for (const event of events) emit(event)
    if (events.length === 0) return
    await tx`
      update source_events set announced_at = ${at}::timestamptz where id = any (${events.map(({ id }) => id)}::bigint[])`
  })
}

/** Closes events of the given days, and those of quarantined documents without a day. */
async function close(
  sql: Sql | Transaction,
  source: string,
  kinds: SourceEventKind[],
  days: readonly MarketDay[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update source_events set closed_at = ${at}::timestamptz
    where source = ${source} and closed_at is null and kind = any (${kinds}::text[])
      and (market_day is null or market_day = any (${days}::date[]))`
}
