/** Hyperparameters of the ensemble. The nets are small on purpose: larger ones without dropout overfitted at once. */
import type { BoostingOptions } from '../numeric/boosted-trees.ts'
import { FEATURE_COUNT } from '../pun/features.ts'
import type { NetTraining } from '../tensorflow/quantile-net.ts'

export interface EnsembleBuild {
  /** The nets forecast the targets of a training row: the day's mean and its 24 hours. */
  net: Omit<NetTraining, 'seed'>
  /** Days of targets the nets learn from. */
  trainingDays: number
  /** Days after which a row's weight is halved. */
  recencyHalfLifeDays: number
  /** Windows of the LEARs of the daily mean, which are refitted every day. */
  learWindowsDays: readonly number[]
  /** Trees of the hourly model. */
  boostedTrees: number
  /** Boosted trees of the day's mean, on the features of nets and LEARs. */
  dayTrees: Omit<BoostingOptions, 'seed'>
}

/**
 * Chosen on 2018 to 2023, the windows on 2020 and 2023: a short, a medium and a long one err on different days. More windows, or nets of
 * the daily mean in addition to those of the hours, brought no improvement.
 */
export const BUILD: EnsembleBuild = {
  net: {
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
  trainingDays: 2184,
  recencyHalfLifeDays: 730,
  learWindowsDays: [84, 728, 2184],
  boostedTrees: 250,
  dayTrees: { trees: 400, depth: 6, learningRate: 0.03, leafRowsMin: 10, penalty: 5, rowShare: 0.6, columnShare: 0.2 },
}
