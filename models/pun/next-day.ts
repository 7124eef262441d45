/**
 * The next day's band, calibrated on earlier forecasts: each side of the experts' band is stretched by the 90 % quantile of
 * (actual − median) / side over the last year of targets (split conformal prediction with its finite-sample correction), so that a
 * band that was too narrow becomes as wide as it should have been.
 */
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import { sortedQuantile } from '../numeric/quantile.ts'

/** On the models' scale: the median of a target, and the offsets of p10 (≤ 0) and p90 (≥ 0) from it. */
export interface Prediction {
  median: number
  below: number
  above: number
}

/** Forecasts of past targets by experts that had not seen them. */
export type Trail = ReadonlyMap<DayNumber, Prediction>

export const CALIBRATION_DAYS = 365
const RATIOS_MIN = 60
const SIDE_SHARE = 0.9
/** A side narrower than this, on the models' scale, is taken to be this wide: half a percent. */
const SIDE_MIN = 0.005

/** Undefined where fewer than 60 targets of the last year were forecast. */
export function calibrated(prediction: Prediction, trail: Trail, known: KnownPrices): Prediction | undefined {
  const below: number[] = []
  const above: number[] = []
  for (let target = known.lastDay; target > known.lastDay - CALIBRATION_DAYS; target--) {
    const past = trail.get(target)
    const actual = known.scaled[target - known.firstDay] ?? Number.NaN
    if (!past || Number.isNaN(actual)) continue
    below.push((past.median - actual) / side(past.below))
    above.push((actual - past.median) / side(past.above))
  }
  if (below.length < RATIOS_MIN) return undefined
  return {
    median: prediction.median,
    below: -side(prediction.below) * stretch(below),
    above: side(prediction.above) * stretch(above),
  }
}

function side(offset: number): number {
  return Math.max(SIDE_MIN, Math.abs(offset))
}

/** Never negative: the median stays inside its band. */
function stretch(ratios: number[]): number {
  const share = Math.min(1, (SIDE_SHARE * (ratios.length + 1)) / ratios.length)
  return Math.max(0, sortedQuantile(Float64Array.from(ratios).sort(), share))
}
