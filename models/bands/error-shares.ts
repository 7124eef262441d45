/**
 * Bands from past errors. Each error becomes a share of the mean absolute error of the 28 days before its forecast, for that hour and the
 * adjacent ones; the band takes quantiles of 180 days of such shares. Their level adapts per block of four hours, so that a block with too
 * many prices outside gets a wider band (adaptive conformal inference, Gibbs and Candès 2021). For hours the scale also follows the last
 * week, and each kind of day has its own. A day's mean has one cell a day instead of 24, and a single block.
 */
import type { DayNumber } from '../calendar.ts'
import { sortedQuantile } from '../numeric/quantile.ts'

const SCALE_DAYS = 28
const RECENT_DAYS = 7
const POOL_DAYS = 180
/** A band needs errors of at least this many days. */
const BAND_DAYS_MIN = 60
/** Days of past forecasts that a band uses. */
export const TRAIL_DAYS = POOL_DAYS + SCALE_DAYS
const BLOCK_HOURS = 4
/** Target share of prices outside the band. */
const OUTSIDE_TARGET = 0.2
const ADAPTATION = 0.02
const OUTSIDE_MIN = 0.06
const OUTSIDE_MAX = 0.4
/** Lower bound of the error scale, €/MWh. */
const SCALE_MIN = 0.5
/** Shrinkage: with this many days of a kind, their error size weighs as much as that of all kinds. */
const KIND_DAYS = 20

interface ErrorScaleOptions {
  /** Days of shares from which the band takes its quantiles. */
  poolDays?: number
  /** The smallest scale, in the unit of the errors. */
  scaleMin?: number
  /** Exponent, 0 to 1, of the last week's error in the scale; the error of 28 days has the rest. */
  recency?: number
  /** Number of kinds of days, and the index of a day's kind. The size of errors differs between kinds. */
  kinds?: { count: number; of(day: DayNumber): number }
}

/** Offsets of each cell, €/MWh: `below` ≤ 0 ≤ `above`. */
export interface CellOffsets {
  below: Float64Array
  above: Float64Array
}

/** Actual less forecast by target day; NaN where either is missing. */
export interface Errors {
  firstDay: DayNumber
  /** Cells per day: 24 hours, or 1 for the mean. */
  cells: number
  values: Float64Array
}

/** Initial target shares outside the band, by block. */
export function initialShares(cells: number): Float64Array {
  return new Float64Array(Math.ceil(cells / BLOCK_HOURS)).fill(OUTSIDE_TARGET)
}

/** Returns the band of the target `ahead` days after `origin`; undefined if too few errors are known. */
export function bandsAfter(errors: ErrorScales, origin: DayNumber, shares: Float64Array): CellOffsets | undefined {
  const { cells } = errors
  const below = new Float64Array(cells)
  const above = new Float64Array(cells)
  const pools = Array.from({ length: cells }, (_, hour) => errors.scaledErrors(origin, hour).sort())
  const [two, three] = [new Float64Array(2 * errors.poolDays), new Float64Array(3 * errors.poolDays)]
  for (let hour = 0; hour < cells; hour++) {
    const own = mergeSorted(pools[hour - 1] ?? [], pools[hour] ?? [], two)
    const pool = mergeSorted(own, pools[hour + 1] ?? [], three)
    if ((pools[hour]?.length ?? 0) < BAND_DAYS_MIN) return undefined
    const outside = shares[Math.floor(hour / BLOCK_HOURS)] as number
    const scale = errors.scale(origin, hour) * errors.kindFactor(origin, origin + errors.ahead, hour)
    below[hour] = Math.min(0, scale * sortedQuantile(pool, outside / 2))
    above[hour] = Math.max(0, scale * sortedQuantile(pool, 1 - outside / 2))
  }
  return { below, above }
}

/** Merges two sorted lists into the start of `room`. */
function mergeSorted(one: ArrayLike<number>, other: ArrayLike<number>, room: Float64Array): Float64Array {
  const all = room.subarray(0, one.length + other.length)
  let first = 0
  let second = 0
  for (let at = 0; at < all.length; at++) {
    const isFirst = second === other.length || (one[first] as number) <= (other[second] as number)
    all[at] = (isFirst ? one[first++] : other[second++]) as number
  }
  return all
}

/** Returns the shares updated by how many prices of the targets `from` to `to` lay outside their bands. */
export function adaptShares(
  errors: ErrorScales,
  shares: Float64Array,
  { from, to }: { from: DayNumber; to: DayNumber },
): Float64Array {
  const next = Float64Array.from(shares)
  for (let target = from; target <= to; target++) {
    const band = bandsAfter(errors, target - errors.ahead, next)
    if (!band) continue
    for (let block = 0; block < next.length; block++) {
      let [missed, count] = [0, 0]
      for (let hour = block * BLOCK_HOURS; hour < Math.min(errors.cells, (block + 1) * BLOCK_HOURS); hour++) {
        const error = errors.error(target, hour)
        if (Number.isNaN(error)) continue
        count++
        if (error < (band.below[hour] as number) || error > (band.above[hour] as number)) missed++
      }
      if (count === 0) continue
      const share = (next[block] as number) + ADAPTATION * (OUTSIDE_TARGET - missed / count)
      next[block] = Math.max(OUTSIDE_MIN, Math.min(OUTSIDE_MAX, share))
    }
  }
  return next
}

/** Errors, with the usual size of errors when each forecast was made. */
export class ErrorScales {
  readonly ahead: number
  readonly cells: number
  readonly poolDays: number
  readonly #scaleMin: number
  readonly #recency: number
  readonly #kindCount: number
  /** Kind of each day, from the first error to the last day that may be forecast. */
  readonly #kinds: Uint8Array
  readonly #errors: Errors
  /** By target and hour: the error divided by the scale at its origin. */
  readonly #scaledErrors = new Map<DayNumber, Float64Array>()
  readonly #scales = new Map<DayNumber, Float64Array>()
  /** By origin: one factor per block and kind. */
  readonly #factors = new Map<DayNumber, Float64Array>()

  constructor(
    errors: Errors,
    ahead: number,
    { poolDays = POOL_DAYS, scaleMin = SCALE_MIN, recency = 0, kinds }: ErrorScaleOptions = {},
  ) {
    this.#errors = errors
    this.ahead = ahead
    this.cells = errors.cells
    this.poolDays = poolDays
    this.#scaleMin = scaleMin
    this.#recency = recency
    const days = kinds ? errors.values.length / errors.cells + ahead : 0
    this.#kindCount = kinds?.count ?? 1
    this.#kinds = Uint8Array.from({ length: days }, (_, at) => kinds?.of(errors.firstDay + at) ?? 0)
  }

  error(target: DayNumber, hour: number): number {
    return this.#errors.values[(target - this.#errors.firstDay) * this.cells + hour] ?? Number.NaN
  }

  /** Mean absolute error of the hour and the adjacent ones over the 28 targets up to `origin`, combined with that of the last week. */
  scale(origin: DayNumber, hour: number): number {
    let scales = this.#scales.get(origin)
    if (!scales) {
      const recent = this.#recency > 0 ? this.#scalesAt(origin, RECENT_DAYS) : undefined
      scales = this.#scalesAt(origin, SCALE_DAYS).map((usual, at) => {
        const now = recent?.[at] ?? Number.NaN
        return Number.isNaN(now) ? usual : usual ** (1 - this.#recency) * now ** this.#recency
      })
      this.#scales.set(origin, scales)
    }
    return scales[hour] as number
  }

  /** Shares of the hour for the `poolDays` targets up to `origin`, adjusted for the kind of each day. */
  scaledErrors(origin: DayNumber, hour: number): Float64Array {
    const factors = this.#factorsAt(origin)
    const found = new Float64Array(this.poolDays)
    let count = 0
    for (let target = origin; target > origin - this.poolDays; target--) {
      const share = this.#scaledErrorsOf(target)[hour] as number
      if (!Number.isNaN(share)) found[count++] = share / (factors[this.#kindAt(target, hour)] as number)
    }
    return found.subarray(0, count)
  }

  /** Size of errors on days of the target's kind in that block of hours, relative to all days of the pool. */
  kindFactor(origin: DayNumber, target: DayNumber, hour: number): number {
    return this.#factorsAt(origin)[this.#kindAt(target, hour)] as number
  }

  /** Index of the target's kind among the factors. */
  #kindAt(target: DayNumber, hour: number): number {
    return Math.floor(hour / BLOCK_HOURS) * this.#kindCount + (this.#kinds[target - this.#errors.firstDay] ?? 0)
  }

  #factorsAt(origin: DayNumber): Float64Array {
    const known = this.#factors.get(origin)
    if (known) return known
    const made = this.#factorsOfPool(origin)
    this.#factors.set(origin, made)
    return made
  }

  #factorsOfPool(origin: DayNumber): Float64Array {
    const kinds = this.#kindCount
    const places = Math.ceil(this.cells / BLOCK_HOURS) * kinds
    if (kinds === 1) return new Float64Array(places).fill(1)
    const [sums, counts] = [new Float64Array(places), new Float64Array(places)]
    for (let target = origin; target > origin - this.poolDays; target--) {
      this.#scaledErrorsOf(target).forEach((share, hour) => {
        if (Number.isNaN(share)) return
        const at = this.#kindAt(target, hour)
        sums[at] = (sums[at] as number) + Math.abs(share)
        counts[at] = (counts[at] as number) + 1
      })
    }
    return sums.map((sum, at) => {
      const block = Math.floor(at / kinds) * kinds
      const all = sumOf(sums.subarray(block, block + kinds)) / sumOf(counts.subarray(block, block + kinds))
      const count = counts[at] as number
      const ratio = sum / count / all
      const days = count / Math.min(BLOCK_HOURS, this.cells)
      return ratio > 0 ? ratio ** (days / (days + KIND_DAYS)) : 1
    })
  }

  #scaledErrorsOf(target: DayNumber): Float64Array {
    const known = this.#scaledErrors.get(target)
    if (known) return known
    const made = Float64Array.from({ length: this.cells }, (_, hour) => {
      const error = this.error(target, hour)
      return Number.isNaN(error) ? Number.NaN : error / this.scale(target - this.ahead, hour)
    })
    this.#scaledErrors.set(target, made)
    return made
  }

  #scalesAt(origin: DayNumber, days: number): Float64Array {
    const sums = new Float64Array(this.cells)
    const counts = new Float64Array(this.cells)
    for (let target = origin; target > origin - days; target--) {
      for (let hour = 0; hour < this.cells; hour++) {
        const error = Math.abs(this.error(target, hour))
        if (Number.isNaN(error)) continue
        sums[hour] = (sums[hour] as number) + error
        counts[hour] = (counts[hour] as number) + 1
      }
    }
    return sums.map((_, hour) => {
      let [sum, count] = [0, 0]
      for (let other = Math.max(0, hour - 1); other <= Math.min(this.cells - 1, hour + 1); other++) {
        sum += sums[other] as number
        count += counts[other] as number
      }
      return count < days / 2 ? Number.NaN : Math.max(this.#scaleMin, sum / count)
    })
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
