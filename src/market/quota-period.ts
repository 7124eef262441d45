/** Calendar months by which the use of keys is counted. */
import { marketDayOf, startOfMarketDay } from './market-day.ts'

interface QuotaPeriod {
  /** First day of the calendar month in Europe/Rome, YYYY-MM-DD. */
  month: string
  startsAt: Temporal.Instant
  /** Start of the next month, when the quota resets. */
  endsAt: Temporal.Instant
}

let latest: QuotaPeriod | undefined
let latestOf: Temporal.Instant | undefined

/** Returns the month in which an instant counts. The latest is cached: every request needs it, and calendar arithmetic takes microseconds. */
export function quotaPeriod(now: Temporal.Instant): QuotaPeriod {
  if (latest !== undefined && now === latestOf) return latest
  latestOf = now
  if (latest === undefined || !contains(latest, now)) {
    const first = marketDayOf(now).with({ day: 1 })
    latest = {
      month: first.toString(),
      startsAt: startOfMarketDay(first),
      endsAt: startOfMarketDay(first.add({ months: 1 })),
    }
  }
  return latest
}

function contains({ startsAt, endsAt }: QuotaPeriod, now: Temporal.Instant): boolean {
  const nowMs = now.epochMilliseconds
  return startsAt.epochMilliseconds <= nowMs && nowMs < endsAt.epochMilliseconds
}
