/** When the next value is expected, for the status and for `Retry-After`: a value that arrives earlier is served earlier. */
import type { AssetCode } from '../market/assets.ts'
import { type FundamentalArea, type FundamentalSeries, fundamentalOf } from '../market/fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay, marketDayOf } from '../market/market-day.ts'
import { isBefore } from '../market/time-order.ts'
import type { Publisher } from './publisher.ts'
import { momentToInstant } from './schedule.ts'
import { defaultSourceFor, fundamentalSource, offersSource } from './sources.ts'

const SECONDS_MIN = 60

/**
 * Returns the publisher's first publication after `now`. For 2026-11-21T12:00Z, a Saturday: 2026-11-22T11:55Z for the PUN,
 * 2026-11-23T17:00Z for the TTF.
 */
export function nextPublication(
  { publishes, publishesOn }: Pick<Publisher, 'publishes' | 'publishesOn'>,
  now: Temporal.Instant,
): Temporal.Instant {
  let next = nextAt(publishes.time, now)
  while (!publishesOn(marketDayOf(next))) next = nextAt(publishes.time, next)
  return next
}

/**
 * Whole seconds until the next publication time of any of the assets; at least a minute, since publications are not punctual to the
 * second. At most a day, even before closed days: missing values may be fetched late, or imported.
 */
export function secondsToNextPublication(assets: readonly AssetCode[], now: Temporal.Instant): number {
  return Math.min(...assets.map((asset) => secondsTo(nextAt(defaultSourceFor(asset).publishes.time, now), now)))
}

/** Whole seconds until the next publication of retail offers; at least a minute. */
export function secondsToNextOffers(now: Temporal.Instant): number {
  return secondsTo(nextPublication(offersSource(), now), now)
}

/** Whole seconds until the day-ahead result of that market day is expected, at midday of the day before; at least a minute. */
export function secondsToPublicationOf(day: MarketDay, now: Temporal.Instant): number {
  return secondsTo(momentToInstant(day, defaultSourceFor('PUN').publishes), now)
}

/**
 * Whole seconds until the first of these days' values of a series that are still to come; if all should be published already, until the
 * publisher's next publication. At least a minute.
 */
export function secondsToFundamental(
  {
    series,
    area,
    from,
    to,
  }: { series: FundamentalSeries; area: FundamentalArea | 'all'; from: MarketDay; to: MarketDay },
  now: Temporal.Instant,
): number {
  const { known, knownIn } = fundamentalOf(series)
  const moment = (area !== 'all' && knownIn?.[area]) || known
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    const expected = momentToInstant(day, moment)
    if (isBefore(now, expected)) return secondsTo(expected, now)
  }
  return secondsTo(nextPublication(fundamentalSource(series), now), now)
}

function secondsTo(instant: Temporal.Instant, now: Temporal.Instant): number {
  return Math.max(SECONDS_MIN, Math.ceil(now.until(instant).total('seconds')))
}

/** The first instant after `now` at which clocks in Rome show that time. */
function nextAt(time: string, now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const todays = local.withPlainTime(time)
  const isAhead = Temporal.ZonedDateTime.compare(todays, local) > 0
  const next = isAhead ? todays : local.add({ days: 1 }).withPlainTime(time)
  return next.toInstant()
}
