/**
 * Corrections that a ridge regression adds to the base between two days and two months ahead: one fit per knot, of the base's own errors on
 * features of the origin. Beyond 60 days learned corrections made forecasts worse, so there are none.
 */
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { applyRidge, fitRidge, type RidgeFit } from '../numeric/ridge.ts'
import type { CurveFeatures } from './features.ts'

/** Days ahead: the knots of the bands up to 45 days, without the first, which has a separate model. */
export const CORRECTED_KNOTS = [2, 3, 5, 7, 10, 14, 21, 30, 45] as const

const WINDOW_DAYS = 1456
const ROWS_MIN = 364
const STRENGTH = 0.3

/** One fit per knot; null if the history is too short for it. */
export type CorrectionFits = readonly (RidgeFit | null)[]

/** Learns from pairs of origin and target, if the target's price was known by the end of `through`. */
export function fitCorrections(
  known: KnownPrices,
  base: MedianPath,
  features: CurveFeatures,
  through: DayNumber,
): CorrectionFits {
  return CORRECTED_KNOTS.map((knot) => {
    const rows: Float64Array[] = []
    const errors: number[] = []
    for (let target = through; target > through - WINDOW_DAYS; target--) {
      const error = (known.scaled[target - known.firstDay] ?? Number.NaN) - base(target - knot)(target)
      if (Number.isNaN(error)) continue
      rows.push(features(target - knot, target))
      errors.push(error)
    }
    return rows.length < ROWS_MIN ? null : fitRidge(rows, Float64Array.from(errors), STRENGTH)
  })
}

/** Correction of each knot's fit at that origin, on the models' scale; 0 where there is no fit. */
export function correctionsAt(fits: CorrectionFits, features: CurveFeatures, origin: DayNumber): Float64Array {
  return Float64Array.from(CORRECTED_KNOTS, (knot, index) => {
    const fit = fits[index]
    return fit ? applyRidge(fit, features(origin, origin + knot)) : 0
  })
}
