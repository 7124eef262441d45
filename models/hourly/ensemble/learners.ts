/** What forecasts the hours so many days ahead from one set of inputs: regressions and boosted trees, averaged. */
import type { DayNumber } from '../../calendar.ts'
import type { InputStep } from '../model.ts'
import { applyBoosted, type Boosted, fitBoosted } from './boosting.ts'
import type { Features } from './features.ts'
import { applyRegressions, fitRegressions, type Regressions, WINDOWS_DAYS } from './regressions.ts'
import { targetRows } from './target-rows.ts'
import type { ZoneView } from './zone-view.ts'

export { ROWS_MIN } from './regressions.ts'

/** Chosen on 2021 to 2023. */
const BOOSTED_SHARE = 0.35
/** Days ahead up to which there are trees: farther off they took long and added little. */
const BOOSTED_AHEAD_MAX = 1

export interface Learners {
  regressions: Regressions
  boosted: Boosted | null
}

/** One for each step, from targets up to `through`; undefined where there are too few. `before` are those in use so far. */
export function fitLearners(
  view: ZoneView,
  features: Features,
  training: { ahead: number; through: DayNumber; steps: readonly InputStep[]; seed: number; trees: number },
  before: readonly (Learners | undefined)[] = [],
): Learners[] | undefined {
  const windowDays = WINDOWS_DAYS.at(-1) as number
  const rows = targetRows(view, features, { ...training, windowDays })
  return fitRegressions(rows, features, training)?.map((regressions, at) => {
    if (training.ahead > BOOSTED_AHEAD_MAX) return { regressions, boosted: null }
    const step = training.steps[at] as InputStep
    return { regressions, boosted: fitBoosted(rows, features, step, training, before[at]?.boosted) }
  })
}

/** The relative prices of a day's hours. */
export function applyLearners({ regressions, boosted }: Learners, features: Features, target: DayNumber): Float64Array {
  const straight = applyRegressions(regressions, features, target)
  if (!boosted) return straight
  const bent = applyBoosted(boosted, features, target)
  return straight.map((value, hour) => value + BOOSTED_SHARE * ((bent[hour] as number) - value))
}
