/** Converts versions from the database to the price record that the models use. */
import { clockHours } from '../../models/clock-hours.ts'
import type { PriceRecord, PriceRevision } from '../../models/history.ts'
import { FORECAST_ASSETS, type ForecastAsset } from '../../models/model.ts'
import { USUAL_PUBLICATION } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { momentToInstant } from '../../src/publishers/schedule.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import type { Inputs } from './task.ts'

/**
 * A first version read this long after its usual publication was loaded as history. It counts as known from that publication on, as do
 * synthetic ones, which are all loaded at once. Anything read sooner counts from the instant at which it was read.
 */
const LOADED_LATER_MS = 7 * 24 * 3600 * 1000
const DAY_LENGTHS = new Set([23, 24, 25, 92, 96, 100])

export function priceRecord({ versions, holidays }: Pick<Inputs, 'versions' | 'holidays'>): PriceRecord {
  const revisions = FORECAST_ASSETS.map((asset) => [asset, revisionsOf(asset, versions[asset])] as const)
  return {
    revisions: Object.fromEntries(revisions) as unknown as PriceRecord['revisions'],
    holidays: holidays.map((day) => Temporal.PlainDate.from(day)),
  }
}

function revisionsOf(asset: ForecastAsset, versions: readonly PriceVersion[]): PriceRevision[] {
  return versions.map(({ day: text, price, intervals, fetchedAtMs, synthetic }, i) => {
    const day = Temporal.PlainDate.from(text)
    const isFirst = versions[i - 1]?.day !== text
    const fetchedAt = instantOf(fetchedAtMs)
    const knownAt = isFirst ? firstKnown(asset, day, fetchedAt, synthetic) : fetchedAt
    return { day, price, knownAt, ...hoursOf(intervals) }
  })
}

/** Revisions of a zone, whose hours are published with the PUN. */
export function zoneRevisions(versions: readonly PriceVersion[]): PriceRevision[] {
  return revisionsOf('PUN', versions)
}

/** Converts hours or quarter-hours to clock hours; with anything else, the day has only its mean. */
function hoursOf(intervals: readonly number[] | null): { hours?: Float64Array } {
  return intervals !== null && DAY_LENGTHS.has(intervals.length) ? { hours: clockHours(intervals) } : {}
}

function firstKnown(asset: ForecastAsset, day: MarketDay, fetchedAt: Temporal.Instant, synthetic: boolean) {
  const published = usualPublication(asset, day)
  const isLoadedLater = fetchedAt.epochMilliseconds - published.epochMilliseconds > LOADED_LATER_MS
  return isLoadedLater || synthetic ? published : fetchedAt
}

/**
 * Returns when the value of a day is usually published: PUN of D at 12:55 of D−1, PSV of gas day D at 19:00 of D−1, TTF of D at 18:00 of D,
 * since settlement histories state the day of trading. Replaces the true instant if the past was imported at once, so that a replay does
 * not see all of it at the import.
 */
export function usualPublication(asset: ForecastAsset, day: MarketDay): Temporal.Instant {
  const usual = USUAL_PUBLICATION[asset]
  return momentToInstant(day, asset === 'TTF' ? { ...usual, days: 0 } : usual)
}

/** The database stores microseconds, an instant here whole milliseconds: rounded up, so that nothing is known before it was read. */
function instantOf(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.ceil(ms))
}
