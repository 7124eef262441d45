/** The ensemble's word on one day: the mean of nets and LEARs for the median, the nets' own spread for the band. */
import type { DayNumber } from '../calendar.ts'
import { applyLear } from '../lear/lear.ts'
import { standardised } from '../numeric/standardise.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import type { Spoken } from '../pun/next-day.ts'
import { runNets } from '../tensorflow/run-net.ts'
import type { Ensemble, TrainedNet } from './train.ts'

export function speakEnsemble({ nets, lears }: Ensemble, source: FeatureSource, target: DayNumber): Spoken {
  const features = new Float64Array(FEATURE_COUNT)
  source.fill(target, features)
  const spoken = nets.map((net) => speakNet(net, features))
  const fitted = lears.flatMap((lear) => applyLear(lear, features))
  return {
    median: source.level(target) + (mean(spoken.map(({ median }) => median)) + mean(fitted)) / 2,
    below: mean(spoken.map(({ below }) => below)),
    above: mean(spoken.map(({ above }) => above)),
  }
}

function speakNet({ shape, standard, targetScale, weights }: TrainedNet, features: Float64Array): Spoken {
  const { outputs } = shape
  const said = runNets(shape, weights, standardised(standard, features))
  const [low, middle, high] = [0, 1, 2].map((quantile) => targetScale * (said[quantile * outputs] as number))
  const median = middle as number
  return { median, below: Math.min(0, (low as number) - median), above: Math.max(0, (high as number) - median) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
