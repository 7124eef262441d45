/** How quarter-hours deviate from the mean of their hour: an offset for each quarter of the day, and a share of the slope between hours. */

/** €/MWh. */
export interface QuarterShape {
  /** Last market day with quarter-hours in the training data, YYYY-MM-DD, and the number of such days. */
  learnedTo: string
  days: number
  /** For each quarter of an hour, the share of the slope, (next hour − previous hour) / 2, that is added to the hour. They sum to 0. */
  slopes: readonly number[]
  /** One for each of the 96 clock quarters; the four of an hour sum to 0. */
  offsets: readonly number[]
}

const QUARTERS = 4

/**
 * Difference of each quarter from its hour. `hours` are the prices of a day by elapsed time, `clockHours` the clock hour of each. The mean
 * of the four quarters remains the price of the hour.
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

/** Half the difference between the next and the previous hour; at the ends of the day, the step to the only neighbour. */
export function slopeAt(hours: readonly number[], hour: number): number {
  const own = hours[hour] as number
  const [before, after] = [hours[hour - 1], hours[hour + 1]]
  if (before === undefined) return after === undefined ? 0 : after - own
  return after === undefined ? own - before : (after - before) / 2
}
