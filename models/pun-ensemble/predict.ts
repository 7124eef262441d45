/** The ensemble's forecast of one day: the weighted mean of nets, LEARs, trees and the hourly model. */
import { MEDIAN, QUANTILES } from '../bands/eighty-percent.ts'
import type { DayNumber } from '../calendar.ts'
import { applyLearners, type Learners } from '../hourly/ensemble/learners.ts'
import { fromRelative } from '../hourly/ensemble/relative-price.ts'
import { applyLear } from '../lear/lear.ts'
import { applyBoostedTrees } from '../numeric/boosted-trees.ts'
import { standardised } from '../numeric/standardise.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import { dayOfHours, toScale } from '../scale.ts'
import { runNets } from '../tensorflow/run-net.ts'
import type { Ensemble, TrainedNets } from './train.ts'

/** Chosen on July 2022 to December 2023, when other shares were hardly worse. The parts err on different days. */
const SHARES = { nets: 0.12, lears: 0.2, hours: 0.4, trees: 0.28 }

export function predictEnsemble(
  { nets, lears, hours, dayTrees }: Ensemble,
  source: FeatureSource,
  target: DayNumber,
): number {
  const features = new Float64Array(FEATURE_COUNT)
  source.fill(target, features)
  const level = source.level(target)
  const fitted = lears.flatMap((lear) => applyLear(lear, features))
  const linear = level + fitted.reduce((sum, value) => sum + value, 0) / fitted.length
  const parts = [
    { value: predictNets(nets, features, level), share: SHARES.nets },
    { value: linear, share: SHARES.lears },
    { value: hours ? dayOfLearners(hours, source, target) : Number.NaN, share: SHARES.hours },
    { value: level + applyBoostedTrees(dayTrees, features), share: SHARES.trees },
  ].filter(({ value }) => !Number.isNaN(value))
  const totalShare = parts.reduce((sum, { share }) => sum + share, 0)
  return parts.reduce((sum, { value, share }) => sum + (share / totalShare) * value, 0)
}

function dayOfLearners(hours: Learners, source: FeatureSource, target: DayNumber): number {
  const level = source.hourly.level(target)
  const prices = applyLearners(hours, source.hourly, target).map((value) => fromRelative(value, level))
  return toScale('PUN', prices.reduce((sum, price) => sum + price, 0) / prices.length)
}

/** Returns the mean of the hours' medians, which was more accurate than the median of the mean. */
function predictNets(
  { shape, standard, targetScale, weights }: TrainedNets,
  features: Float64Array,
  level: number,
): number {
  const output = runNets(shape, weights, standardised(standard, features))
  const median = output.subarray(QUANTILES.indexOf(MEDIAN) * shape.outputs).subarray(1, shape.outputs)
  return dayOfHours(median.map((hour) => level + targetScale * hour))
}
