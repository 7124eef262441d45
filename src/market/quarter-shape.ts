/** How quarter-hours lie about the mean of their hour: an offset of each quarter of the day, and a share of the slope from hour to hour. */

/** €/MWh. */
export interface QuarterShape {
  /** Last market day with quarter-hours that it was learned from, YYYY-MM-DD, and how many there were. */
  learnedTo: string
  days: number
  /** One for each quarter of an hour: how much of the slope, (next hour − hour before) / 2, it is above the hour. They sum to 0. */
  slopes: readonly number[]
  /** One for each of the 96 quarters by clock; the four of an hour sum to 0. */
  offsets: readonly number[]
}

const QUARTERS = 4

/**
 * Difference of each quarter from its hour. `hours` are those of a day by elapsed time, `clockHours` which hour of the clock each of them is:
 * the mean of the four quarters stays the hour.
 */
export function quarterOffsets(
  { slopes, offsets }: Pick<QuarterShape, 'slopes' | 'offsets'>,
  hours: readonly number[],
  clockHours: readonly number[],
): number[] {
  return hours.flatMap((_, i) => {
    const slope = slopeAt(hours, i)
    const first = (clockHours[i] as number) * QUARTERS
    return slopes.map((share, quarter) => share * slope + (offsets[first + quarter] as number))
  })
}

/** Half the way from the hour before to the next; at the ends of the day the step to the only neighbour. */
export function slopeAt(hours: readonly number[], hour: number): number {
  const own = hours[hour] as number
  const [before, after] = [hours[hour - 1], hours[hour + 1]]
  if (before === undefined) return after === undefined ? 0 : after - own
  return after === undefined ? own - before : (after - before) / 2
}
