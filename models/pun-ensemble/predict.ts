/** The ensemble's forecast of one day: the mean of nets, LEARs, trees and the model of the hours for the median, the nets' own spread for the band. */
import type { DayNumber } from '../calendar.ts'
import { applyLearners, type Learners } from '../hourly/ensemble/learners.ts'
import { fromRelative } from '../hourly/ensemble/relative-price.ts'
import { applyLear } from '../lear/lear.ts'
import { applyBoostedTrees } from '../numeric/boosted-trees.ts'
import { standardised } from '../numeric/standardise.ts'
import { dayOfHours } from '../pun/day-of-hours.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import type { Prediction } from '../pun/next-day.ts'
import { toScale } from '../scale.ts'
import { runNets } from '../tensorflow/run-net.ts'
import type { Ensemble, TrainedNets } from './train.ts'

/** Chosen on July 2022 to December 2023, where others did hardly worse: the kinds err on different days. */
const SHARES = { nets: 0.12, lears: 0.24, hours: 0.24, trees: 0.4 }

export function predictEnsemble(
  { nets, lears, hours, dayTrees }: Ensemble,
  source: FeatureSource,
  target: DayNumber,
): Prediction {
  const features = new Float64Array(FEATURE_COUNT)
  source.fill(target, features)
  const level = source.level(target)
  const { median, below, above } = predictNets(nets, features, level)
  const fitted = lears.flatMap((lear) => applyLear(lear, features))
  const linear = level + fitted.reduce((sum, value) => sum + value, 0) / fitted.length
  const parts = [
    { value: median, share: SHARES.nets },
    { value: linear, share: SHARES.lears },
    { value: hours ? dayOfLearners(hours, source, target) : Number.NaN, share: SHARES.hours },
    { value: level + applyBoostedTrees(dayTrees, features), share: SHARES.trees },
  ].filter(({ value }) => !Number.isNaN(value))
  const whole = parts.reduce((sum, { share }) => sum + share, 0)
  return { median: parts.reduce((sum, { value, share }) => sum + (share / whole) * value, 0), below, above }
}

function dayOfLearners(hours: Learners, source: FeatureSource, target: DayNumber): number {
  const level = source.hourly.level(target)
  const prices = applyLearners(hours, source.hourly, target).map((value) => fromRelative(value, level))
  return toScale('PUN', prices.reduce((sum, price) => sum + price, 0) / prices.length)
}

/** The median is that of the hours; the band around it the one of the day's mean, which hours cannot give: they err together. */
function predictNets(
  { shape, standard, targetScale, weights }: TrainedNets,
  features: Float64Array,
  level: number,
): Prediction {
  const output = runNets(shape, weights, standardised(standard, features)).map((value) => targetScale * value)
  const [low, middle, high] = [0, 1, 2].map((quantile) =>
    output.subarray(quantile * shape.outputs, (quantile + 1) * shape.outputs),
  )
  const [p10, p50, p90] = [low, middle, high].map((outputs) => outputs?.[0] as number) as [number, number, number]
  const hours = (middle as Float64Array).subarray(1).map((hour) => level + hour)
  return { median: dayOfHours(hours), below: Math.min(0, p10 - p50), above: Math.max(0, p90 - p50) }
}
