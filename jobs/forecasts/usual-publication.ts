import type { ForecastAsset } from '../../models/model.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { momentOf } from '../../src/publishers/schedule.ts'
import { defaultSourceFor } from '../../src/publishers/sources.ts'

/**
 * When the value of a day is usually published: PUN of D at 12:55 of D−1, PSV of gas day D at 19:00 of D−1, TTF of D at 18:00 of
 * D, since a history of settlements names the day of trading. Stands in for the true instant where the past was imported at once, so
 * that a replay does not see it all at the import.
 */
export function usualPublication(asset: ForecastAsset, day: MarketDay): Temporal.Instant {
  const { publishes } = defaultSourceFor(asset)
  return momentOf(day, asset === 'TTF' ? { ...publishes, days: 0 } : publishes)
}
