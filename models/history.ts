/**
 * Inputs of the daily models. A `PriceRecord` is everything ever published, each value with the instant from which it was known; a
 * `History` is that record as it stood at one instant. Models are given a `History` and nothing else.
 */

import { FORECAST_ASSETS, type ForecastAsset } from '../src/market/forecast-scope.ts'
import type { MarketDay } from '../src/market/market-day.ts'
import { type DayNumber, dayNumber } from './calendar.ts'

/** One value of one day; a correction is a further revision of the same day with a later `knownAt`. */
export interface PriceRevision {
  day: MarketDay
  /** €/MWh; the mean over the day's 23, 24 or 25 hours for PUN. Zero and negative prices are valid. */
  price: number
  /** PUN only: 24 clock hours, €/MWh, as returned by `clockHours`; omitted if only the day's mean is known. */
  hours?: ArrayLike<number>
  knownAt: Temporal.Instant
}

export interface PriceRecord {
  revisions: Record<ForecastAsset, readonly PriceRevision[]>
  /** National holidays, future ones included. */
  holidays: readonly MarketDay[]
}

/** A daily series as known at one instant, one cell per calendar day; a missing value is NaN. */
export interface Series {
  firstDay: DayNumber
  /** €/MWh, from `firstDay` on; the last cell is always a price. Empty if nothing is known. */
  prices: Float64Array
  /** 24 clock hours for each cell of `prices`; NaN where unknown. Only PUN has any. */
  hours?: Float64Array
}

export interface History {
  /** The instant as of which this was known. */
  knownAt: Temporal.Instant
  series: Record<ForecastAsset, Series>
  holidays: ReadonlySet<DayNumber>
}

const HOURS = 24

/** Returns the record as it stood at that instant, without later values and corrections. */
export function historyAt(record: PriceRecord, knownAt: Temporal.Instant): History {
  const entries = FORECAST_ASSETS.map((asset) => [asset, seriesAt(record.revisions[asset], knownAt)] as const)
  return {
    knownAt,
    series: Object.fromEntries(entries) as Record<ForecastAsset, Series>,
    holidays: new Set(record.holidays.map(dayNumber)),
  }
}

/** Returns the record without the days before `from`. */
export function recordFrom({ revisions, holidays }: PriceRecord, from: MarketDay): PriceRecord {
  const kept = FORECAST_ASSETS.map((asset) => [asset, revisionsFrom(revisions[asset], from)] as const)
  return { revisions: Object.fromEntries(kept) as unknown as PriceRecord['revisions'], holidays }
}

export function revisionsFrom(revisions: readonly PriceRevision[], from: MarketDay): PriceRevision[] {
  return revisions.filter(({ day }) => Temporal.PlainDate.compare(day, from) >= 0)
}

/** Returns one series as it stood at that instant. */
export function seriesAt(revisions: readonly PriceRevision[], knownAt: Temporal.Instant): Series {
  const latest = new Map<DayNumber, PriceRevision>()
  const limit = knownAt.epochMilliseconds
  for (const revision of revisions) {
    if (revision.knownAt.epochMilliseconds > limit) continue
    const day = dayNumber(revision.day)
    const before = latest.get(day)
    if (!before || before.knownAt.epochMilliseconds <= revision.knownAt.epochMilliseconds) latest.set(day, revision)
  }
  return denseSeries(latest)
}

function denseSeries(latest: ReadonlyMap<DayNumber, PriceRevision>): Series {
  if (latest.size === 0) return { firstDay: 0, prices: new Float64Array(0) }
  const days = [...latest.keys()]
  const firstDay = days.reduce((least, day) => Math.min(least, day))
  const length = days.reduce((most, day) => Math.max(most, day)) - firstDay + 1
  const prices = new Float64Array(length).fill(Number.NaN)
  const hours = new Float64Array(length * HOURS).fill(Number.NaN)
  let hasHours = false
  for (const [day, revision] of latest) {
    if (!Number.isFinite(revision.price)) throw new RangeError(`price of ${revision.day} is ${revision.price}`)
    prices[day - firstDay] = revision.price
    if (!revision.hours) continue
    if (revision.hours.length !== HOURS)
      throw new RangeError(`${revision.day} has ${revision.hours.length} clock hours`)
    hours.set(revision.hours, (day - firstDay) * HOURS)
    hasHours = true
  }
  return hasHours ? { firstDay, prices, hours } : { firstDay, prices }
}

/** The price of a day, NaN where it is not known. */
export function priceOn({ firstDay, prices }: Series, day: DayNumber): number {
  return prices[day - firstDay] ?? Number.NaN
}

/** Last day with a price, which is the `info_date` of a forecast made from it; undefined if there is none. */
export function lastDay({ firstDay, prices }: Series): DayNumber | undefined {
  return prices.length === 0 ? undefined : firstDay + prices.length - 1
}

/** The same series without the days after `day`. */
export function seriesThrough(series: Series, day: DayNumber): Series {
  let length = Math.max(0, Math.min(series.prices.length, day - series.firstDay + 1))
  while (length > 0 && Number.isNaN(series.prices[length - 1])) length--
  const { firstDay, hours } = series
  const prices = series.prices.subarray(0, length)
  return hours ? { firstDay, prices, hours: hours.subarray(0, length * HOURS) } : { firstDay, prices }
}
