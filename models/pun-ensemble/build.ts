/** How the ensemble is put together. The nets are small on purpose: larger ones without dropout over-fitted at once. */
import { FEATURE_COUNT } from '../pun/features.ts'
import type { NetTraining } from '../tensorflow/quantile-net.ts'

export interface EnsembleBuild {
  /** A net forecasts the first `outputs` of a training row's targets: the mean and the 24 hours, or the mean alone. */
  nets: readonly Omit<NetTraining, 'seed'>[]
  /** Days of targets the nets learn from. */
  trainingDays: number
  /** Those further back weigh less: half after so many days. */
  recencyHalfLifeDays: number
  /** Windows of the LEARs of the daily mean that speak beside the nets; they are fitted anew every day. */
  learWindowsDays: readonly number[]
}

const NET = { inputs: FEATURE_COUNT, nets: 4, dropout: 0.3, batchRows: 128, learningRates: [2e-3, 1e-4] } as const

/** Chosen on 2018 to 2023. */
export const BUILD: EnsembleBuild = {
  nets: [
    { ...NET, outputs: 25, hidden: 64, l2: 1e-3, epochs: 20 },
    { ...NET, outputs: 1, hidden: 32, l2: 2e-3, epochs: 25 },
  ],
  trainingDays: 2184,
  recencyHalfLifeDays: 730,
  learWindowsDays: [364, 728, 1092, 2184],
}
