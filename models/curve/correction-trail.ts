/** Out-of-sample corrections at past origins, from which the weight of new corrections is estimated. */
import { ALL_DAYS } from '../bands/scaled-bands.ts'
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { type CorrectionFits, correctionsAt, fitCorrections } from './corrections.ts'
import type { CurveFeatures } from './features.ts'

/** Corrections by origin, one for each of `CORRECTED_KNOTS`, on the models' scale. */
export type CorrectionTrail = ReadonlyMap<DayNumber, Float64Array>

/** Covers all days of the bands, plus the year of completed corrections that weights each origin. */
export const CORRECTION_TRAIL_DAYS = ALL_DAYS + 365 + 2 * 45
const REFIT_DAYS = 91

/** Backfills corrections from before the first training, as a model refitted four times a year would have made them. */
export function rollingCorrections(
  known: KnownPrices,
  base: MedianPath,
  features: CurveFeatures,
  through: DayNumber,
): CorrectionTrail {
  const trail = new Map<DayNumber, Float64Array>()
  for (let refit = through - CORRECTION_TRAIL_DAYS; refit < through; refit += REFIT_DAYS) {
    if (refit <= known.firstDay) continue
    const fits = fitCorrections(known, base, features, refit)
    addCorrections(trail, fits, features, refit, Math.min(refit + REFIT_DAYS - 1, through - 1))
  }
  return trail
}

/** Adds the fits' corrections at the origins from `from` to `to`. */
export function addCorrections(
  trail: Map<DayNumber, Float64Array>,
  fits: CorrectionFits,
  features: CurveFeatures,
  from: DayNumber,
  to: DayNumber,
): void {
  for (let origin = from; origin <= to; origin++) trail.set(origin, correctionsAt(fits, features, origin))
}
