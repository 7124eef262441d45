/**
 * Weekday factors on the models' scale: the median, over the last 364 days, of a day's deviation from the mean of the seven days
 * centred on it. A deviation is known three days later, so the last three days have none yet.
 */
import { type DayNumber, weekday } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import { median } from '../numeric/quantile.ts'

const WEEK = 7
const HALF_WEEK = 3
const WINDOW_DAYS = 364

/** Deviation of each day from its centred week; NaN at both ends and where a day of the week is missing. */
function weekDeviations({ scaled }: KnownPrices): Float64Array {
  return scaled.map((value, index) => {
    let sum = 0
    for (let other = index - HALF_WEEK; other <= index + HALF_WEEK; other++) sum += scaled[other] ?? Number.NaN
    return value - sum / WEEK
  })
}

/** Returns, for an origin, seven factors, Monday first, as known at the end of that day; 0 for a weekday without data. */
export function weekdayFactors(known: KnownPrices): (origin: DayNumber) => Float64Array {
  const { firstDay } = known
  const deviations = weekDeviations(known)
  const medians = new Map<DayNumber, number>()
  const medianTo = (last: DayNumber) => {
    const values: number[] = []
    for (let day = last; day > last - WINDOW_DAYS; day -= WEEK) {
      const deviation = deviations[day - firstDay]
      if (deviation !== undefined && !Number.isNaN(deviation)) values.push(deviation)
    }
    return values.length === 0 ? 0 : median(values)
  }
  /** Cached, because from one origin to the next only one weekday gets a new day. */
  const cachedMedian = (last: DayNumber) => {
    const found = medians.get(last) ?? medianTo(last)
    medians.set(last, found)
    return found
  }
  return (origin) => {
    const factors = new Float64Array(WEEK)
    for (let day = origin - HALF_WEEK; day > origin - HALF_WEEK - WEEK; day--) factors[weekday(day)] = cachedMedian(day)
    return factors
  }
}
