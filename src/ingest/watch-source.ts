/**
 * The watch over a source's current publications: which market days should be there by now, which are not, which are late. All it
 * decides it decides from what is stored and the instant, so it may run at any time, twice, or after a restart.
 */
import type { MarketDay } from '../market/market-day.ts'
import { sourceEvent } from '../platform/events.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { latestAsked, momentOf } from '../publishers/schedule.ts'
import { type DayState, listDayStates } from '../store/publications.ts'
import { announce, listOpenDays, noteLate, settleDays } from '../store/source-events.ts'
import type { FetchContext } from './fetch-span.ts'

/** How long a day is asked for again and again; what is older is left to catching up. */
const WATCHED_DAYS = 7

/** Notes what has become complete or late. Returns the days to be asked for now, newest first. */
export async function watchSource(ctx: FetchContext, fetcher: Fetcher): Promise<MarketDay[]> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const source = fetcher.publisher
  const watched = watchedDays(fetcher, now)
  const troubled = await listOpenDays(sql, source.id)
  const states = await listDayStates(sql, source, distinct([...watched, ...troubled]))

  await settleDays(sql, source.id, daysOf(states.filter(({ whole, settled }) => whole && !settled)), now)
  const missing = states.filter(({ whole, day }) => !whole && watched.some((one) => one.equals(day)))
  await noteLate(sql, source.id, daysOf(missing.filter((state) => isLate(state, fetcher, now))), now)
  const due = daysOf(missing.filter(({ askAgainAt }) => askAgainAt === undefined || !isBefore(now, askAgainAt)))
  return fetcher.fallback ? leftByBetter(ctx, fetcher, due) : due
}

/** Of the days, those that every better source of the same zones was asked for in vain, or cannot have. */
export async function leftByBetter(
  ctx: FetchContext,
  fetcher: Fetcher,
  days: readonly MarketDay[],
): Promise<MarketDay[]> {
  let left = [...days]
  for (const better of ctx.sources.enabled.filter((other) => isBetter(other, fetcher))) {
    const first = better.earliest(latestAsked(better, ctx.clock.now()))
    const states = await listDayStates(ctx.database.sql, better.publisher, left)
    left = daysOf(states.filter(({ day, attempts }) => attempts > 0 || Temporal.PlainDate.compare(day, first) < 0))
  }
  return left
}

/** The days that should be there by now, newest first: those of the last week, or as far back as a day is not yet late. */
export function watchedDays(fetcher: Fetcher, now: Temporal.Instant): MarketDay[] {
  const latest = latestAsked(fetcher, now)
  const count = WATCHED_DAYS + fetcher.lateAt.days - fetcher.askFrom.days
  const first = fetcher.earliest(latest)
  return Array.from({ length: count }, (_, i) => latest.subtract({ days: i })).filter(
    (day) => Temporal.PlainDate.compare(day, first) >= 0 && fetcher.expects(day),
  )
}

/** Tells what was noted about sources and not yet told. */
export function announceEvents({
  database,
  clock,
  log,
}: Pick<FetchContext, 'database' | 'clock' | 'log'>): Promise<void> {
  return announce(database.sql, clock.now(), (event) => sourceEvent(log, event))
}

/** Only what was asked for in vain when it should have been there: what came out while we were down is not late. */
function isLate({ day, late, askedAt }: DayState, { lateAt }: Fetcher, now: Temporal.Instant): boolean {
  const from = momentOf(day, lateAt)
  return !late && askedAt !== undefined && !isBefore(askedAt, from) && !isBefore(now, from)
}

function isBetter({ publisher: theirs }: Fetcher, { publisher: ours }: Fetcher): boolean {
  return theirs.priority < ours.priority && theirs.zones.some((zone) => ours.zones.includes(zone))
}

function daysOf(states: readonly DayState[]): MarketDay[] {
  return states.map(({ day }) => day)
}

function distinct(days: readonly MarketDay[]): MarketDay[] {
  return [...new Map(days.map((day) => [day.toString(), day])).values()]
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0
}
