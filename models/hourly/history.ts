/** Inputs of the hourly models: the hours of one zone and their drivers, as known at one instant. */
import type { ZoneCode } from '../../src/market/zones.ts'
import type { DayNumber } from '../calendar.ts'
import type { Series } from '../history.ts'

export const HOURS = 24

/** A row of 24 clock hours for each calendar day from `firstDay` on; NaN where unknown. */
export interface DailyHours {
  firstDay: DayNumber
  values: Float64Array
}

/** €/MWh. A day published only as a mean has no hours, rather than 24 equal ones. */
export interface HourlyPrices extends DailyHours {
  /** One per day, of its hours or as published; weighted as in the market, over 23, 24 or 25 hours. NaN where unknown. */
  means: Float64Array
}

export const NEIGHBOURS = ['CH', 'FR', 'AT', 'SI', 'GR'] as const
export type Neighbour = (typeof NEIGHBOURS)[number]

/**
 * Forecasts of price drivers for past and future days. A past day has the forecast made with the lead time that the first target day has
 * now, never the actual value. Series of the zone if there are any, else of Italy.
 */
export interface Fundamentals {
  /** MW */
  load?: DailyHours
  wind?: DailyHours
  solar?: DailyHours
  /** Wind and solar output without any weather forecast: usual for the season, adjusted to the last metered day. */
  usual?: { wind: DailyHours; solar: DailyHours }
  /** Day-ahead prices of neighbouring markets that were published by then, €/MWh. */
  neighbours?: Partial<Record<Neighbour, DailyHours>>
}

export interface HourlyHistory {
  /** The instant as of which this was known. */
  knownAt: Temporal.Instant
  zone: ZoneCode
  prices: HourlyPrices
  /** Prices of the PUN; the same object as `prices` for the zone `nazionale`. */
  national: HourlyPrices
  /** Daily prices of gas, €/MWh. */
  gas: { PSV: Series; TTF: Series }
  holidays: ReadonlySet<DayNumber>
  fundamentals: Fundamentals
}

/** Last day with a price, which is the info date of a forecast made from it; undefined if there is none. */
export function lastPricedDay({ firstDay, means }: HourlyPrices): DayNumber | undefined {
  return means.length === 0 ? undefined : firstDay + means.length - 1
}

/** How many days have hours. */
export function countDays({ values }: DailyHours): number {
  let count = 0
  for (let at = 0; at < values.length; at += HOURS) if (!Number.isNaN(values[at])) count++
  return count
}

/** One clock hour (0 to 23) of a day; NaN where it is not known. */
export function hourOn({ firstDay, values }: DailyHours, day: DayNumber, hour: number): number {
  return values[(day - firstDay) * HOURS + hour] ?? Number.NaN
}

/** Whether all 24 hours of the day are known. */
export function hasDay(series: DailyHours | undefined, day: DayNumber): boolean {
  if (series === undefined) return false
  for (let hour = 0; hour < HOURS; hour++) if (Number.isNaN(hourOn(series, day, hour))) return false
  return true
}
