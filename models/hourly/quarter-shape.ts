/** The shape of quarter-hours, learned from the days that have them. */
import { clockHoursOf } from '../../src/market/market-day.ts'
import { type QuarterShape, slopeAt } from '../../src/market/quarter-shape.ts'
import { HOURS } from './history.ts'

const QUARTERS = 4
/** The shape follows the sun, so it was different half a year earlier. */
const WINDOW_DAYS = 90
/** Fewer days would reflect their weather rather than the quarter-hours. */
const DAYS_NEEDED = 14
const LENGTHS = new Set([92, 96, 100])

/** Learns the shape from the last days with quarter-hours, oldest first; undefined if there are too few. */
export function learnQuarterShape(
  days: readonly { day: string; intervals: ArrayLike<number> }[],
): QuarterShape | undefined {
  const known = days.filter(({ intervals }) => LENGTHS.has(intervals.length)).slice(-WINDOW_DAYS)
  const last = known.at(-1)
  if (last === undefined || known.length < DAYS_NEEDED) return undefined
  const slopeMeans = new Means(HOURS)
  const offsetMeans = new Means(HOURS * QUARTERS)
  const cells = known.flatMap(({ intervals }) => cellsOf(intervals))
  for (const { clock, slope, offsets } of cells) {
    slopeMeans.add(clock, slope)
    for (const [quarter, offset] of offsets.entries()) offsetMeans.add(clock * QUARTERS + quarter, offset)
  }
  const products = new Float64Array(QUARTERS)
  let squares = 0
  for (const { clock, slope, offsets } of cells) {
    const moved = slope - slopeMeans.of(clock)
    squares += moved * moved
    for (const [quarter, offset] of offsets.entries())
      products[quarter] = (products[quarter] as number) + moved * (offset - offsetMeans.of(clock * QUARTERS + quarter))
  }
  const slopes = Array.from(products, (product) => (squares === 0 ? 0 : product / squares))
  const offsets = Array.from({ length: HOURS * QUARTERS }, (_, quarter) => {
    const clock = Math.floor(quarter / QUARTERS)
    return offsetMeans.of(quarter) - (slopes[quarter % QUARTERS] as number) * slopeMeans.of(clock)
  })
  return { learnedTo: last.day, days: known.length, slopes, offsets }
}

interface Cell {
  clock: number
  slope: number
  offsets: number[]
}

function cellsOf(intervals: ArrayLike<number>): Cell[] {
  const count = intervals.length / QUARTERS
  const hours = Array.from({ length: count }, (_, hour) => {
    let sum = 0
    for (let quarter = 0; quarter < QUARTERS; quarter++) sum += intervals[hour * QUARTERS + quarter] as number
    return sum / QUARTERS
  })
  return clockHoursOf(count).map((clock, hour) => ({
    clock,
    slope: slopeAt(hours, hour),
    offsets: Array.from(
      { length: QUARTERS },
      (_, quarter) => (intervals[hour * QUARTERS + quarter] as number) - (hours[hour] as number),
    ),
  }))
}

class Means {
  readonly #sums: Float64Array
  readonly #counts: Int32Array

  constructor(length: number) {
    this.#sums = new Float64Array(length)
    this.#counts = new Int32Array(length)
  }

  add(index: number, value: number): void {
    this.#sums[index] = (this.#sums[index] as number) + value
    this.#counts[index] = (this.#counts[index] as number) + 1
  }

  /** Returns 0 if nothing was added. */
  of(index: number): number {
    return (this.#sums[index] as number) / Math.max(1, this.#counts[index] as number)
  }
}
