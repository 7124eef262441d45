/** Trains the parts of the ensemble. */
import type { DayNumber } from '../calendar.ts'
import { fitLearners, type Learners, withFreshRegressions } from '../hourly/ensemble/learners.ts'
import { fitLear, type LearFit, lastRows } from '../lear/lear.ts'
import { type Backend, TrainingDiverged, type TrainOptions } from '../model.ts'
import { type BoostedTrees, fitBoostedTrees } from '../numeric/boosted-trees.ts'
import { type Standard, standardised, standardOf } from '../numeric/standardise.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import type { MarketView } from '../pun/market-view.ts'
import { type TrainingRow, trainingRows } from '../pun/training-rows.ts'
import { tensorFlow } from '../tensorflow/backend.ts'
import { type NetShape, type NetTraining, type NetWeights, type Rows, trainNets } from '../tensorflow/quantile-net.ts'
import type { EnsembleBuild } from './build.ts'

export interface TrainedNets {
  shape: NetShape
  standard: Standard
  /** Unit of the nets' targets, on the models' scale. */
  targetScale: number
  weights: NetWeights
}

export interface Ensemble {
  nets: TrainedNets
  lears: LearFit[]
  /** Learners of the hourly model; null if too few days have hours. */
  hours: Learners | null
  /** Trees of the day's mean less the level. */
  dayTrees: BoostedTrees
}

export async function trainEnsemble(
  build: EnsembleBuild,
  view: MarketView,
  source: FeatureSource,
  through: DayNumber,
  options: TrainOptions,
): Promise<{ trained: Ensemble; backend: Backend }> {
  const all = trainingRows(view, source, through, build.trainingDays)
  const rows = all.filter(({ hasHours }) => hasHours)
  const { tf, backend } = await tensorFlow(options.backend)
  const standard = standardOf(
    rows.map((row) => row.features),
    FEATURE_COUNT,
  )
  const targetScale = Math.sqrt(rows.reduce((sum, row) => sum + (row.targets[0] as number) ** 2, 0) / rows.length)
  const weights = recencyWeights(rows, build.recencyHalfLifeDays)
  const training = { ...build.net, seed: (options.seed ?? 1) * 100 }
  const given = { ...netRows(rows, training, standard, targetScale), weights }
  const { weights: trained, losses } = await trainNets(tf, training, given, options.signal)
  assertConverged(losses)
  const { inputs, hidden, outputs, nets: count } = training
  const nets = { shape: { inputs, hidden, outputs, nets: count }, standard, targetScale, weights: trained }
  const hours = fitHours(build, view, source, through, options)
  const dayTrees = fitDayTrees(build, all, options)
  return { trained: { nets, hours, dayTrees, lears: fitLears(build, all, through) }, backend }
}

function fitHours(
  { boostedTrees }: EnsembleBuild,
  view: MarketView,
  source: FeatureSource,
  through: DayNumber,
  { seed = 1 }: TrainOptions,
): Learners | null {
  const training = { ahead: 1, through, steps: ['prices-only'] as const, seed, trees: boostedTrees }
  return fitLearners(view.zone, source.hourly, training)?.[0] ?? null
}

function fitDayTrees(
  { dayTrees }: EnsembleBuild,
  rows: readonly TrainingRow[],
  { seed = 1 }: TrainOptions,
): BoostedTrees {
  const inputs = new Float64Array(rows.length * FEATURE_COUNT)
  rows.forEach((row, index) => {
    inputs.set(row.features, index * FEATURE_COUNT)
  })
  const targets = Float64Array.from(rows, (row) => row.targets[0] as number)
  return fitBoostedTrees(inputs, targets, FEATURE_COUNT, { ...dayTrees, seed })
}

/** Refits the LEARs and the regressions of the hours on days up to `through`. */
export function refreshLinear(
  build: EnsembleBuild,
  { hours, ...trained }: Ensemble,
  view: MarketView,
  source: FeatureSource,
  through: DayNumber,
): Ensemble {
  const rows = trainingRows(view, source, through, Math.max(...build.learWindowsDays))
  const fresh = hours && withFreshRegressions(hours, view.zone, source.hourly, { ahead: 1, through })
  return { ...trained, hours: fresh, lears: fitLears(build, rows, through) }
}

function fitLears({ learWindowsDays }: EnsembleBuild, rows: readonly TrainingRow[], through: DayNumber): LearFit[] {
  return learWindowsDays.map((days) => fitLear(lastRows(rows, through, days), [0]))
}

function netRows(
  rows: readonly TrainingRow[],
  { inputs, outputs }: NetTraining,
  standard: Standard,
  scale: number,
): Omit<Rows, 'weights'> {
  const made = {
    count: rows.length,
    inputs: new Float32Array(rows.length * inputs),
    targets: new Float32Array(rows.length * outputs),
  }
  rows.forEach((row, index) => {
    made.inputs.set(standardised(standard, row.features), index * inputs)
    made.targets.set(
      row.targets.subarray(0, outputs).map((target) => target / scale),
      index * outputs,
    )
  })
  return made
}

/** Weights that halve every `halfLifeDays`, 1 on average. */
function recencyWeights(rows: readonly TrainingRow[], halfLifeDays: number): Float32Array {
  const last = rows.at(-1)?.day ?? 0
  const weights = Float32Array.from(rows, ({ day }) => 2 ** ((day - last) / halfLifeDays))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / rows.length
  return weights.map((weight) => weight / mean)
}

function assertConverged(losses: readonly number[]): void {
  const [first = Number.NaN] = losses
  const last = losses.at(-1) ?? Number.NaN
  if (Number.isFinite(last) && last < first) return
  throw new TrainingDiverged(`the net's loss went from ${first} to ${last}`)
}
