/** Out-of-sample accuracy of the experts, and a sanity check of new ones. */
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { TrainingDiverged } from '../model.ts'
import { fromScale } from '../scale.ts'
import type { Trail } from './next-day.ts'

const SANITY_DAYS = 91
/** Maximum error of new experts relative to the base on the last days. These are in-sample, so a higher ratio means a defect. */
const SANITY_RATIO_MAX = 1.25

/** MAE of the trail, one day ahead, €/MWh. */
export function trailMetrics(trail: Trail, known: KnownPrices): Record<string, number> {
  const errors = [...trail].flatMap(([day, median]) => {
    const actual = known.prices[day - known.firstDay] ?? Number.NaN
    return Number.isNaN(actual) ? [] : [Math.abs(actual - fromScale('PUN', median))]
  })
  return { days: errors.length, mae: errors.reduce((sum, error) => sum + error, 0) / errors.length }
}

/** @throws TrainingDiverged if the experts return no number, or are far worse than the base on the last 91 days */
export function assertSane(predict: (target: DayNumber) => number, known: KnownPrices, base: MedianPath): void {
  let [own, reference] = [0, 0]
  for (let target = known.lastDay; target > known.lastDay - SANITY_DAYS; target--) {
    const actual = known.prices[target - known.firstDay] ?? Number.NaN
    const median = predict(target)
    if (!Number.isFinite(median)) throw new TrainingDiverged(`the forecast of a day is ${median}`)
    if (Number.isNaN(actual)) continue
    own += Math.abs(actual - fromScale('PUN', median))
    reference += Math.abs(actual - fromScale('PUN', base(target - 1)(target)))
  }
  if (own <= SANITY_RATIO_MAX * reference) return
  throw new TrainingDiverged(
    `on the last ${SANITY_DAYS} days the error is ${(own / reference).toFixed(2)} times that of the base, more than ${SANITY_RATIO_MAX}`,
  )
}
