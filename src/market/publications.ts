/** When each index is expected from its source, for the status and as a hint for `Retry-After`: a value that comes earlier is served earlier. */

import type { AssetCode } from './assets.ts'
import { MARKET_TIME_ZONE, type MarketDay, marketDayOf } from './market-day.ts'
import { isAuctionDay, isTradingDay } from './trading-days.ts'

/** Clock time in Rome of the daily publication. */
export const PUBLICATION_TIMES: Record<AssetCode, string> = {
  PUN: '12:55', // results of the day-ahead market, for the next day
  PSV: '19:00', // end of the gas trading day
  TTF: '18:00', // settlement
  Brent: '20:00', // the publisher's afternoon in Washington
  CO2: '11:00', // close of the morning's auction
}

/** Clock time in Rome by which the day's retail offers are out: their files appear between 22:30 and 23:05 UTC of the evening before. */
export const OFFERS_PUBLICATION_TIME = '01:05'

const SECONDS_MIN = 60

/** Exchanges and auctions publish nothing while they are closed. */
const PUBLISHES_ON: Partial<Record<AssetCode, (day: MarketDay) => boolean>> = {
  TTF: isTradingDay,
  Brent: isTradingDay,
  CO2: isAuctionDay,
}

/** The first publication after that instant: for PUN at 2026-11-21T12:00Z, 2026-11-22T11:55Z; for TTF, a Saturday, 2026-11-23T17:00Z. */
export function nextExpectedPublication(asset: AssetCode, now: Temporal.Instant): Temporal.Instant {
  const publishesOn = PUBLISHES_ON[asset] ?? (() => true)
  let next = nextAt(PUBLICATION_TIMES[asset], now)
  while (!publishesOn(marketDayOf(next))) next = nextAt(PUBLICATION_TIMES[asset], next)
  return next
}

/**
 * Whole seconds to the next hour of publication of any of the assets; at least a minute, since publications are not to the second.
 * Never more than a day, closed days or not: what is missing may be read late, or imported.
 */
export function secondsToNextPublication(assets: readonly AssetCode[], now: Temporal.Instant): number {
  const seconds = assets.map((asset) => now.until(nextAt(PUBLICATION_TIMES[asset], now)).total('seconds'))
  return Math.max(SECONDS_MIN, Math.ceil(Math.min(...seconds)))
}

/** The first publication of retail offers after that instant. */
export function nextExpectedOffers(now: Temporal.Instant): Temporal.Instant {
  return nextAt(OFFERS_PUBLICATION_TIME, now)
}

/** Whole seconds to the next publication of retail offers; at least a minute. */
export function secondsToNextOffers(now: Temporal.Instant): number {
  return Math.max(SECONDS_MIN, Math.ceil(now.until(nextExpectedOffers(now)).total('seconds')))
}

/** Whole seconds until the day-ahead result of that market day is expected, at midday of the day before; at least a minute. */
export function secondsToPublicationOf(day: MarketDay, now: Temporal.Instant): number {
  const expected = day
    .subtract({ days: 1 })
    .toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: PUBLICATION_TIMES.PUN })
  return Math.max(SECONDS_MIN, Math.ceil(now.until(expected.toInstant()).total('seconds')))
}

/** The first instant after `now` at which clocks in Rome show that time. */
function nextAt(time: string, now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const todays = local.withPlainTime(time)
  const isAhead = Temporal.ZonedDateTime.compare(todays, local) > 0
  const next = isAhead ? todays : local.add({ days: 1 }).withPlainTime(time)
  return next.toInstant()
}
