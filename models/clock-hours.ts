/** Converts a day to 24 clock hours: the hour missing in March is interpolated, the repeated one in October averaged. */

import { CHANGED_HOUR } from '../src/market/market-day.ts'

const HOURS = 24

/**
 * Prices of 23, 24 or 25 elapsed hours, or of 92, 96 or 100 quarters, as 24 clock hours. Spec of the calendar: "Hourly PUN has 23
 * or 25 hours".
 * @throws RangeError for any other number of intervals
 */
export function clockHours(intervals: ArrayLike<number>): Float64Array {
  const perHour = intervals.length > 25 ? 4 : 1
  const elapsed = Float64Array.from({ length: intervals.length / perHour }, (_, hour) =>
    meanOfHour(intervals, hour, perHour),
  )
  const at = (hour: number) => elapsed[hour] as number
  switch (intervals.length / perHour) {
    case HOURS:
      return elapsed
    case HOURS - 1:
      return Float64Array.from({ length: HOURS }, (_, hour) => {
        if (hour === CHANGED_HOUR) return (at(hour - 1) + at(hour)) / 2
        return at(hour < CHANGED_HOUR ? hour : hour - 1)
      })
    case HOURS + 1:
      return Float64Array.from({ length: HOURS }, (_, hour) => {
        if (hour === CHANGED_HOUR) return (at(hour) + at(hour + 1)) / 2
        return at(hour < CHANGED_HOUR ? hour : hour + 1)
      })
    default:
      throw new RangeError(`a day has 23, 24 or 25 hours or their quarters, not ${intervals.length} intervals`)
  }
}

function meanOfHour(intervals: ArrayLike<number>, hour: number, perHour: number): number {
  let sum = 0
  for (let part = 0; part < perHour; part++) sum += intervals[hour * perHour + part] as number
  return sum / perHour
}
