/** Bands from a rule's own past errors: at each knot, the 10 % and 90 % quantiles of the completed residuals of a year. */
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { sortedQuantile } from '../numeric/quantile.ts'
import { HIGH, LOW } from './eighty-percent.ts'
import { residualsOf } from './residuals.ts'

/** Offsets from the median on the models' scale, one per knot: `below` ≤ 0 ≤ `above`. */
export interface BandOffsets {
  below: Float64Array
  above: Float64Array
}

/** Windows with fewer completed residuals are not used. */
export const RESIDUALS_MIN = 60

const WINDOW_DAYS = 365
const RECENT_DAYS = 30

/** Bands at the knots up to the reach. `isStretched` scales them by the ratio of last month's volatility to the year's, less for longer horizons. */
export function residualBands(
  known: KnownPrices,
  path: MedianPath,
  reachDays: number,
  { isStretched = false } = {},
): BandOffsets | undefined {
  return bandsAtKnots(reachDays, (knot) => {
    const { residuals } = residualsOf(known, path, knot, WINDOW_DAYS)
    if (residuals.length < RESIDUALS_MIN) return undefined
    const factor = isStretched ? volatilityRatio(known, WINDOW_DAYS) ** Math.exp(-knot / 60) : 1
    residuals.sort()
    return [factor * sortedQuantile(residuals, LOW), factor * sortedQuantile(residuals, HIGH)]
  })
}

/** Bands at the knots up to the reach. A knot without quantiles takes the previous knot's, widened with the square root of the horizon. */
export function bandsAtKnots(
  reachDays: number,
  quantilesAt: (knot: number) => [number, number] | undefined,
): BandOffsets | undefined {
  const knots = KNOTS.filter((_, index) => index === 0 || (KNOTS[index - 1] as number) < reachDays)
  const below = new Float64Array(knots.length)
  const above = new Float64Array(knots.length)
  for (const [index, knot] of knots.entries()) {
    const quantiles = quantilesAt(knot) ?? widened({ below, above }, index)
    if (!quantiles) return undefined
    below[index] = quantiles[0]
    above[index] = quantiles[1]
  }
  return widenWithHorizon({ below, above })
}

function widened({ below, above }: BandOffsets, index: number): [number, number] | undefined {
  if (index === 0) return undefined
  const factor = Math.sqrt((KNOTS[index] as number) / (KNOTS[index - 1] as number))
  return [factor * (below[index - 1] as number), factor * (above[index - 1] as number)]
}

/** Keeps the median inside the band, even after a year of one-sided errors. A longer horizon never narrows the band. */
export function widenWithHorizon({ below, above }: BandOffsets): BandOffsets {
  let [low, high] = [0, 0]
  return {
    below: below.map((offset) => {
      low = Math.min(low, offset)
      return low
    }),
    above: above.map((offset) => {
      high = Math.max(high, offset)
      return high
    }),
  }
}

/** Mean absolute daily change of the last 30 days over that of the last `usualDays`; 1 if unknown. */
function volatilityRatio({ filled }: KnownPrices, usualDays: number): number {
  const ratio = meanChange(filled, RECENT_DAYS) / meanChange(filled, usualDays)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}

function meanChange(filled: Float64Array, days: number): number {
  let [sum, count] = [0, 0]
  for (let index = Math.max(1, filled.length - days); index < filled.length; index++) {
    const change = Math.abs((filled[index] as number) - (filled[index - 1] as number))
    if (Number.isNaN(change)) continue
    sum += change
    count++
  }
  return sum / count
}

/** Horizons, in days, at which bands and corrections are estimated; the days between are interpolated in the logarithm of the horizon. */
export const KNOTS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 150, 180] as const

/** Interpolates the value at a horizon from the values at the knots. */
export function interpolateKnots(values: ArrayLike<number>, horizonDays: number): number {
  const upper = KNOTS.findIndex((knot) => knot >= horizonDays)
  if (upper === -1) return values[KNOTS.length - 1] as number
  const high = values[upper] as number
  if (KNOTS[upper] === horizonDays || upper === 0) return high
  const low = values[upper - 1] as number
  const from = Math.log(KNOTS[upper - 1] as number)
  const share = (Math.log(horizonDays) - from) / (Math.log(KNOTS[upper] as number) - from)
  return low + share * (high - low)
}
