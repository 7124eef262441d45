/** Boosted trees of all hours at once, the hour being one of their inputs: where regressions are straight, they bend. */
import type { DayNumber } from '../../calendar.ts'
import {
  applyBoostedTrees,
  type BoostedTrees,
  type BoostingOptions,
  fitBoostedTrees,
} from '../../numeric/boosted-trees.ts'
import { HOURS } from '../history.ts'
import type { InputStep } from '../model.ts'
import type { Features } from './features.ts'
import type { TargetRows } from './target-rows.ts'

const WINDOW_DAYS = 1456
/** Growing trees takes longer than all the rest: a quarter of them is grown each week, the others serve on. */
const REFIT_WEEKS = 4
const AGE_MAX_DAYS = 35
/** All trees of one model together. */
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
  /** Those of the features that the trees see; the hour comes after them. */
  columns: Float64Array
  /** The last day they have learned from. */
  through: DayNumber
}

/** `before` until its turn comes. */
export function fitBoosted(
  rows: TargetRows,
  features: Features,
  step: InputStep,
  { ahead, through, trees, seed }: { ahead: number; through: DayNumber; trees: number; seed: number },
  before?: Boosted | null,
): Boosted {
  const isTurn = (Math.floor(through / 7) + ahead) % REFIT_WEEKS === 0
  if (before && !isTurn && through - before.through < AGE_MAX_DAYS) return before
  const columns = Float64Array.from(features.hour.columnsOf(step))
  const days = rows.days.flatMap((day, at) => (day > through - WINDOW_DAYS ? [at] : []))
  const width = columns.length + 1
  const inputs = new Float64Array(days.length * HOURS * width)
  const targets = new Float64Array(days.length * HOURS)
  const row = new Float64Array(features.hour.columns)
  days.forEach((at, place) => {
    for (let hour = 0; hour < HOURS; hour++) {
      const cell = place * HOURS + hour
      features.hour.fill(row, rows.days[at] as DayNumber, hour)
      write(inputs, cell * width, row, columns, hour)
      targets[cell] = rows.targets[at * HOURS + hour] as number
    }
  })
  return {
    trees: fitBoostedTrees(inputs, targets, width, {
      ...OPTIONS,
      trees,
      learningRate: Math.min(RATE_MAX, LEARNING / trees),
      seed,
    }),
    columns,
    through,
  }
}

/** The relative prices of a day's hours. */
export function applyBoosted({ trees, columns }: Boosted, features: Features, target: DayNumber): Float64Array {
  const row = new Float64Array(features.hour.columns)
  const seen = new Float64Array(columns.length + 1)
  return Float64Array.from({ length: HOURS }, (_, hour) => {
    features.hour.fill(row, target, hour)
    write(seen, 0, row, columns, hour)
    return applyBoostedTrees(trees, seen)
  })
}

function write(to: Float64Array, start: number, row: Float64Array, columns: Float64Array, hour: number): void {
  for (let place = 0; place < columns.length; place++) to[start + place] = row[columns[place] as number] as number
  to[start + columns.length] = hour
}
