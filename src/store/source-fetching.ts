/** Which publishers are fetched from, how many requests they got, and the outcomes. */
import type { AttemptOutcome } from '../api/contract/status.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql, Transaction } from './database.ts'
import { type DaySource, listWhole } from './publications.ts'
import { query } from './sql-files.ts'

export interface SourceState {
  source: string
  state: 'on' | 'off'
  way: string | null
  /** Why it is disabled. */
  reason: string | null
}

interface Attempt {
  source: string
  at: Temporal.Instant
  outcome: AttemptOutcome
  /** A sentence for the operator, null where the outcome says it all. */
  detail: string | null
}

export interface SourceFetching {
  source: string
  redistributable: boolean
  /** Null where it cannot be fetched from, or no worker has run yet. */
  state: 'on' | 'off' | null
  way: string | null
  reason: string | null
  attemptedAt: Temporal.Instant | null
  outcome: AttemptOutcome | null
  detail: string | null
  completedAt: Temporal.Instant | null
}

/** Records at start-up which sources are enabled and which may be redistributed. */
export async function recordSourceStates(
  sql: Sql,
  states: readonly SourceState[],
  redistributable: ReadonlyMap<string, boolean>,
): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    for (const { source, state, way, reason } of states) {
      await tx`
        insert into source_fetching (source, state, way, reason) values (${source}, ${state}, ${way}, ${reason})
        on conflict (source) do update set state = excluded.state, way = excluded.way, reason = excluded.reason`
    }
    for (const [source, allowed] of redistributable) {
      await tx`update sources set redistributable = ${allowed} where id = ${source} and redistributable <> ${allowed}`
    }
  })
}

/** Records the outcome of an attempt; returns whether it differs from the last one and so is worth logging. */
export async function recordAttempt(sql: Sql, { source, at, outcome, detail }: Attempt): Promise<boolean> {
  const completedAt = outcome === 'complete' ? at.toString() : null
  return sql.begin(async (tx: Transaction) => {
    const [last] = await tx<{ outcome: string | null; detail: string | null }[]>`
      select outcome, detail from source_fetching where source = ${source} for update`
    await tx`
      insert into source_fetching as f (source, state, attempted_at, outcome, detail, completed_at)
      values (${source}, 'on', ${at.toString()}::timestamptz, ${outcome}, ${detail}, ${completedAt}::timestamptz)
      on conflict (source) do update
        set attempted_at = excluded.attempted_at, outcome = excluded.outcome, detail = excluded.detail,
            completed_at = coalesce(excluded.completed_at, f.completed_at)`
    return last?.outcome !== outcome || last.detail !== detail
  })
}

/** Consumes one request of a day's budget; false where it is used up. */
export async function takeSourceRequest(sql: Sql, source: string, day: MarketDay, budget: number): Promise<boolean> {
  const taken = await sql`
    insert into source_requests as r (source, day, requests) values (${source}, ${day.toString()}::date, 1)
    on conflict (source, day) do update set requests = r.requests + 1 where r.requests < ${budget}
    returning requests`
  return taken.count > 0
}

const LIST = query<
  Omit<SourceFetching, 'attemptedAt' | 'completedAt'> & {
    attempted_at: Temporal.Instant | null
    completed_at: Temporal.Instant | null
  }
>('source_fetching_list')

/** Every publisher, also those that nothing is fetched from. */
export async function listSourceFetching(sql: Sql): Promise<SourceFetching[]> {
  const rows = await LIST(sql)
  return rows.map(({ attempted_at, completed_at, ...row }) => ({
    ...row,
    attemptedAt: attempted_at,
    completedAt: completed_at,
  }))
}

/** The market days of the span that are complete for the source, YYYY-MM-DD. The PUN of a source of zones is one of its zones. */
export async function listCompleteDays(sql: Sql, source: DaySource, from: MarketDay, to: MarketDay): Promise<string[]> {
  const days = Array.from({ length: from.until(to).days + 1 }, (_, n) => from.add({ days: n }).toString())
  return listWhole(sql, source, days)
}
