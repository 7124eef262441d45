/**
 * Watches a source's current publications: which market days are expected by now, which are missing, which are late. Decisions depend
 * only on stored data and the current time, so it is safe to run at any time, repeatedly, or after a restart.
 */
import type { MarketDay } from '../market/market-day.ts'
import { isBefore } from '../market/time-order.ts'
import { sourceEvent } from '../platform/events.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { latestDueDay, momentToInstant } from '../publishers/schedule.ts'
import { type DayState, listDayStates } from '../store/publications.ts'
import { emitPendingEvents, listOpenDays, markComplete, recordLateDays } from '../store/source-events.ts'
import type { FetchContext } from './fetch-span.ts'

/** How many days a market day is polled; older ones are left to catch-up. */
const WATCHED_DAYS = 7

/** Records which days have become complete or late. Returns the days to fetch now, newest first. */
export async function watchSource(ctx: FetchContext, fetcher: Fetcher): Promise<MarketDay[]> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const source = fetcher.publisher
  const watched = watchedDays(fetcher, now)
  const openDays = await listOpenDays(sql, source.id)
  const states = await listDayStates(sql, source, distinct([...watched, ...openDays]))

  const toRefetch = states.filter((state) => isRefetchDue(state, fetcher, now))
  const complete = states.filter((state) => state.whole && !state.settled && !toRefetch.includes(state))
  await markComplete(sql, source.id, daysOf(complete), now)
  const missing = states.filter(({ whole, day }) => !whole && watched.some((one) => one.equals(day)))
  await recordLateDays(sql, source.id, daysOf(missing.filter((state) => isLate(state, fetcher, now))), now)
  const due = daysOf(
    states.filter((state) => (missing.includes(state) || toRefetch.includes(state)) && isAttemptDue(state, now)),
  )
  return fetcher.fallback ? notCoveredByHigherPriority(ctx, fetcher, due) : due
}

/** Returns the days that every higher-priority source for the same zones or series has failed to deliver, or does not reach back to. */
export async function notCoveredByHigherPriority(
  ctx: FetchContext,
  fetcher: Fetcher,
  days: readonly MarketDay[],
): Promise<MarketDay[]> {
  let left = [...days]
  for (const better of ctx.sources.enabled.filter((other) => hasHigherPriority(other, fetcher))) {
    const first = better.earliest(latestDueDay(better, ctx.clock.now()))
    const states = await listDayStates(ctx.database.sql, better.publisher, left)
    left = daysOf(states.filter(({ day, attempts }) => attempts > 0 || isBefore(day, first)))
  }
  return left
}

/** Returns the days expected by now, newest first: a week of them, plus the days between due and late. */
export function watchedDays(fetcher: Fetcher, now: Temporal.Instant): MarketDay[] {
  const latest = latestDueDay({ askFrom: fetcher.earlyAt ?? fetcher.askFrom }, now)
  const count = WATCHED_DAYS + fetcher.lateAt.days - fetcher.askFrom.days
  const first = fetcher.earliest(latest)
  return Array.from({ length: count }, (_, i) => latest.subtract({ days: i })).filter(
    (day) => !isBefore(day, first) && fetcher.expects(day),
  )
}

/** Whether no failed attempt postpones the next one. */
export function isAttemptDue({ nextAttemptAt }: DayState, now: Temporal.Instant): boolean {
  return nextAttemptAt === undefined || !isBefore(now, nextAttemptAt)
}

/** Whether a complete day is to be fetched once more; after a day of failures that is left to the nightly reread. */
export function isRefetchDue(
  { day, whole, settled, requestedAt }: DayState,
  { refetchAt }: Fetcher,
  now: Temporal.Instant,
): boolean {
  if (!whole || refetchAt === undefined) return false
  const from = momentToInstant(day, refetchAt)
  const isDone = settled && requestedAt !== undefined && !isBefore(requestedAt, from)
  return !isDone && !isBefore(now, from) && isBefore(now, from.add({ hours: 24 }))
}

/** Logs recorded source events that have not been logged yet. */
export function announceEvents({
  database,
  clock,
  log,
}: Pick<FetchContext, 'database' | 'clock' | 'log'>): Promise<void> {
  return emitPendingEvents(database.sql, clock.now(), (event) => sourceEvent(log, event))
}

/** Only a day requested after its late time is late; one that was published during our downtime is not. */
function isLate({ day, late, requestedAt }: DayState, { lateAt }: Fetcher, now: Temporal.Instant): boolean {
  const from = momentToInstant(day, lateAt)
  return !late && requestedAt !== undefined && !isBefore(requestedAt, from) && !isBefore(now, from)
}

function hasHigherPriority({ publisher: theirs }: Fetcher, { publisher: ours }: Fetcher): boolean {
  const sharesZone = theirs.zones.some((zone) => ours.zones.includes(zone))
  const sharesSeries = theirs.fundamentals.some(({ series, area }) =>
    ours.fundamentals.some((own) => own.series === series && own.area === area),
  )
  return theirs.priority < ours.priority && (sharesZone || sharesSeries)
}

function daysOf(states: readonly DayState[]): MarketDay[] {
  return states.map(({ day }) => day)
}

function distinct(days: readonly MarketDay[]): MarketDay[] {
  return [...new Map(days.map((day) => [day.toString(), day])).values()]
}
