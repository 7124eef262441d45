/** The two kinds of net, and how they are trained. Both are small on purpose: larger ones without dropout over-fitted at once. */

import { FEATURE_COUNT } from '../pun/features.ts'
import type { NetTraining } from '../tensorflow/quantile-net.ts'

/** Outputs of a training row's targets a net forecasts: the mean and the 24 hours, or the mean alone. */
export const NETS: readonly Omit<NetTraining, 'seed'>[] = [
  {
    inputs: FEATURE_COUNT,
    outputs: 25,
    hidden: 64,
    nets: 4,
    dropout: 0.3,
    l2: 1e-3,
    epochs: 20,
    batchRows: 128,
    learningRates: [2e-3, 1e-4],
  },
  {
    inputs: FEATURE_COUNT,
    outputs: 1,
    hidden: 32,
    nets: 4,
    dropout: 0.3,
    l2: 2e-3,
    epochs: 25,
    batchRows: 128,
    learningRates: [2e-3, 1e-4],
  },
]

/** Days of targets the nets learn from; those further back weigh less, half after two years. */
export const TRAINING_DAYS = 2184
export const RECENCY_HALF_LIFE_DAYS = 730

/** Windows of the LEARs of the daily mean that speak beside the nets, days: shorter ones were worse in each of 2018 to 2022. */
export const LEAR_WINDOWS_DAYS = [728, 1092, 1456, 2184] as const
