/** Days as whole numbers, so that shapes and noise need no calendar arithmetic, and the slow swing of the year. */
import type { MarketDay } from '../../market/market-day.ts'

const DAYS_PER_YEAR = 365.2425
const MILLISECONDS_PER_DAY = 86_400_000

/** Days since 1970-01-01. */
export function dayNumber(day: MarketDay): number {
  return day.toZonedDateTime('UTC').epochMilliseconds / MILLISECONDS_PER_DAY
}

/** 1 on the given day of the year (20 is 20 January), −1 half a period later; `cyclesPerYear` 2 peaks twice a year. */
export function season(day: number, peakDayOfYear: number, cyclesPerYear = 1): number {
  return Math.cos((2 * Math.PI * cyclesPerYear * (day - peakDayOfYear + 1)) / DAYS_PER_YEAR)
}
