/** State of the publications of fetched sources: which market days are complete, when to retry, where holes are. */
import type { MarketDay } from '../market/market-day.ts'
import { isBefore } from '../market/time-order.ts'
import type { Publisher } from '../publishers/publisher.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

/** A source and what makes its market days complete: its zones, assets, lists of offers and fundamentals. */
export type DaySource = Pick<Publisher, 'id' | 'zones' | 'assets' | 'offerLists' | 'fundamentals'>

export interface DayState {
  day: MarketDay
  whole: boolean
  /** Whether the day was marked complete (`markComplete`). */
  settled: boolean
  attempts: number
  requestedAt: Temporal.Instant | undefined
  nextAttemptAt: Temporal.Instant | undefined
  /** Whether it was reported as late. */
  late: boolean
}

/** Outcome of an attempt after which the day is still incomplete. */
export type FailedOutcome = 'incomplete' | 'not_published' | 'unreachable' | 'refused'

interface FailedAttempt {
  source: string
  day: MarketDay
  outcome: FailedOutcome
  at: Temporal.Instant
  nextAttemptAt: Temporal.Instant
}

const LIST_STATE = query<StateRow>('source_days_list_state')
const LIST_WHOLE = query<{ market_day: string }>('source_days_list_whole')

interface StateRow {
  market_day: string
  settled: boolean
  attempts: number
  asked_at: Temporal.Instant | null
  ask_again_at: Temporal.Instant | null
  late: boolean
}

/** Newest first. Days marked complete are not checked again: no day ever loses values. */
export async function listDayStates(sql: Sql, source: DaySource, days: readonly MarketDay[]): Promise<DayState[]> {
  if (days.length === 0) return []
  const rows = await LIST_STATE(sql, source.id, days)
  const unsettled = rows.filter(({ settled }) => !settled).map((row) => row.market_day)
  const whole = new Set(await filterCompleteDays(sql, source, unsettled))
  return rows.map((row) => ({
    day: Temporal.PlainDate.from(row.market_day),
    whole: row.settled || whole.has(row.market_day),
    settled: row.settled,
    attempts: row.attempts,
    requestedAt: row.asked_at ?? undefined,
    nextAttemptAt: row.ask_again_at ?? undefined,
    late: row.late,
  }))
}

/** Returns those of the days that are complete, in order, from the source itself or a better one. */
export async function filterCompleteDays(
  sql: Sql,
  source: DaySource,
  days: readonly (MarketDay | string)[],
): Promise<string[]> {
  if (days.length === 0) return []
  const rows = await LIST_WHOLE(sql, ...parametersOf(source), [...days])
  return rows.map((row) => row.market_day)
}

/** Returns up to `limit` of the newest missing days, newest first; with `at`, only those that may be retried at that instant. */
export async function findMissingDays(
  sql: Sql,
  source: DaySource,
  days: readonly MarketDay[],
  { at, limit }: { at?: Temporal.Instant; limit: number },
): Promise<MarketDay[]> {
  if (days.length === 0) return []
  const [id, zones, assets, lists, fundamentals] = parametersOf(source)
  const rows = await sql<{ market_day: string }[]>`
    select market_day from source_holes(
      ${id}, ${zones}::text[], ${assets}::text[], ${lists}::text[], ${fundamentals}::text[], ${days}::date[], ${at ?? null}::timestamptz, ${limit}::integer
    )`
  const candidates = rows.map((row) => row.market_day)
  const whole = new Set(await filterCompleteDays(sql, source, candidates))
  const missing = candidates.filter((day) => !whole.has(day)).map((day) => Temporal.PlainDate.from(day))
  if (missing.length > 0 || candidates.length < limit) return missing
  // The aggregates do not have these days yet. Older ones may still be missing.
  const oldest = Temporal.PlainDate.from(candidates.at(-1) as string)
  const older = days.filter((day) => isBefore(day, oldest))
  return findMissingDays(sql, source, older, { ...(at && { at }), limit })
}

/** Records failed attempts at days, and when to retry each. */
export async function recordFailedAttempts(sql: Sql, attempts: readonly FailedAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`
    insert into publications as p (source, market_day, attempts, outcome, asked_at, ask_again_at)
    select source, day, 1, outcome, at, again
    from unnest(
      ${attempts.map(({ source }) => source)}::text[],
      ${attempts.map(({ day }) => day)}::date[],
      ${attempts.map(({ outcome }) => outcome)}::text[],
      ${attempts.map(({ at }) => at)}::timestamptz[],
      ${attempts.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[]
    ) as a (source, day, outcome, at, again)
    on conflict (source, market_day) do update
      set attempts = p.attempts + 1, outcome = excluded.outcome, asked_at = excluded.asked_at, ask_again_at = excluded.ask_again_at`
}

/**
 * Records that the publisher had nothing complete for past days. They are retried after one day, then after two, four and so on, finally
 * every 90 days.
 */
export async function recordMissingDays(
  sql: Sql,
  source: string,
  days: readonly MarketDay[],
  at: Temporal.Instant,
): Promise<void> {
  if (days.length === 0) return
  await sql`
    insert into publications as p (source, market_day, attempts, outcome, asked_at, ask_again_at)
    select ${source}, day, 1, 'not_published', ${at}::timestamptz, ${at}::timestamptz + interval '1 day'
    from unnest(${days}::date[]) as day
    on conflict (source, market_day) do update
      set attempts = p.attempts + 1, outcome = excluded.outcome, asked_at = excluded.asked_at,
          ask_again_at = excluded.asked_at + make_interval(days => least(90, 2 ^ least(p.attempts, 7))::integer)`
}

/** Id, zones, assets, lists and fundamentals. If the source has zones, its assets are left out: the PUN, an asset, is also a zone. */
function parametersOf({
  id,
  zones,
  assets,
  offerLists,
  fundamentals,
}: DaySource): [string, string[], string[], string[], string[]] {
  const names = fundamentals.map(({ series, area }) => `${series}/${area}`)
  return [id, [...zones], zones.length > 0 ? [] : [...assets], [...offerLists], names]
}
