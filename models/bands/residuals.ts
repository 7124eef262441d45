/** A rule's past errors per horizon, counting only pairs whose target had a price by the info date. */
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'

/** Actual less median on the models' scale by target day, latest first; days without a price or a forecast are left out. */
export function residualsOf(
  known: KnownPrices,
  path: MedianPath,
  horizonDays: number,
  windowDays: number,
): { residuals: Float64Array; targets: Int32Array } {
  const residuals: number[] = []
  const targets: DayNumber[] = []
  for (let target = known.lastDay; target > known.lastDay - windowDays; target--) {
    const origin = target - horizonDays
    const actual = known.scaled[target - known.firstDay]
    const seen = known.scaled[origin - known.firstDay]
    if (actual === undefined || seen === undefined || Number.isNaN(actual) || Number.isNaN(seen)) continue
    const residual = actual - path(origin)(target)
    if (Number.isNaN(residual)) continue
    residuals.push(residual)
    targets.push(target)
  }
  return { residuals: Float64Array.from(residuals), targets: Int32Array.from(targets) }
}
