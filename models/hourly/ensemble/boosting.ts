/** Boosted trees for all hours at once, with the hour as an input; they add the non-linear part to the regressions. */
import type { DayNumber } from '../../calendar.ts'
import type { InputStep } from '../../model.ts'
import {
  applyBoostedTrees,
  type Binned,
  type BoostedTrees,
  type BoostingOptions,
  binColumns,
  fitBinnedTrees,
} from '../../numeric/boosted-trees.ts'
import { HOURS } from '../history.ts'
import type { Features } from './features.ts'
import type { TargetRows } from './target-rows.ts'

const WINDOW_DAYS = 1456
/** Growing trees takes longer than the rest of training, so each week a quarter of them is regrown and the others are kept. */
const REFIT_WEEKS = 4
const AGE_MAX_DAYS = 35
/** Learning rate summed over all trees of one model. */
const LEARNING = 12.5
const RATE_MAX = 0.5
const OPTIONS: Omit<BoostingOptions, 'trees' | 'seed' | 'learningRate'> = {
  depth: 4,
  leafRowsMin: 60,
  penalty: 10,
  rowShare: 0.4,
  columnShare: 0.5,
}

export interface Boosted {
  trees: BoostedTrees
  /** Feature columns that the trees use; the hour is appended to them. */
  columns: Float64Array
  /** Last day that the trees have learned from. */
  through: DayNumber
}

interface Boosting {
  ahead: number
  through: DayNumber
  trees: number
  seed: number
}

/** Whether the current trees are kept instead of regrown. */
export function isKept({ through }: Boosted, training: Pick<Boosting, 'ahead' | 'through'>): boolean {
  const isRefitWeek = (Math.floor(training.through / 7) + training.ahead) % REFIT_WEEKS === 0
  return !isRefitWeek && training.through - through < AGE_MAX_DAYS
}

/** Training rows with all features; the trees of each step use a subset of the columns. */
export interface BoostingRows {
  binned: Binned
  targets: Float64Array
}

export function boostingRows({ days, targets }: TargetRows, features: Features, through: DayNumber): BoostingRows {
  const first = days.findIndex((day) => day > through - WINDOW_DAYS)
  const used = days.slice(first)
  const width = features.hour.columns + 1
  const binned = binColumns(used.length * HOURS, width, (row, at) => {
    const hour = at % HOURS
    features.hour.fill(row, used[(at - hour) / HOURS] as DayNumber, hour)
    row[width - 1] = hour
  })
  return { binned, targets: targets.subarray(first * HOURS) }
}

export function fitBoosted(
  { binned, targets }: BoostingRows,
  features: Features,
  step: InputStep,
  { through, trees, seed }: Boosting,
): Boosted {
  const columns = features.hour.columnsOf(step)
  const learningRate = Math.min(RATE_MAX, LEARNING / trees)
  const seen = Int32Array.from([...columns, features.hour.columns])
  const fitted = fitBinnedTrees(binned, seen, targets, { ...OPTIONS, trees, learningRate, seed })
  return { trees: fitted, columns: Float64Array.from(columns), through }
}

/** The relative prices of a day's hours. */
export function applyBoosted({ trees, columns }: Boosted, features: Features, target: DayNumber): Float64Array {
  const row = new Float64Array(features.hour.columns)
  const seen = new Float64Array(columns.length + 1)
  return Float64Array.from({ length: HOURS }, (_, hour) => {
    features.hour.fill(row, target, hour)
    for (let place = 0; place < columns.length; place++) seen[place] = row[columns[place] as number] as number
    seen[columns.length] = hour
    return applyBoostedTrees(trees, seen)
  })
}
