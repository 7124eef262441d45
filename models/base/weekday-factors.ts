/**
 * By how much each weekday lies above or below its week, on the models' scale: the median over the last 364 days of a day's
 * deviation from the mean of the seven days centred on it. A deviation is known three days later, so the last three have none yet.
 */
import { type DayNumber, weekday } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import { median } from '../numeric/quantile.ts'

const HALF_WEEK = 3
const WINDOW_DAYS = 364

/** Deviation of each day from its centred week; NaN at both ends and where a day of the week is missing. */
export function weekDeviations({ scaled }: KnownPrices): Float64Array {
  return scaled.map((value, index) => {
    let sum = 0
    for (let other = index - HALF_WEEK; other <= index + HALF_WEEK; other++) sum += scaled[other] ?? Number.NaN
    return value - sum / 7
  })
}

/** Seven factors, Monday first, as known at the end of `origin`; 0 for a weekday that was never seen. */
export function weekdayFactors(deviations: Float64Array, firstDay: DayNumber, origin: DayNumber): Float64Array {
  const byWeekday: number[][] = [[], [], [], [], [], [], []]
  for (let day = origin - HALF_WEEK; day > origin - HALF_WEEK - WINDOW_DAYS; day--) {
    const deviation = deviations[day - firstDay]
    if (deviation !== undefined && !Number.isNaN(deviation)) byWeekday[weekday(day)]?.push(deviation)
  }
  return Float64Array.from(byWeekday, (values) => (values.length === 0 ? 0 : median(values)))
}
