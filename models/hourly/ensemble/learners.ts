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

export interface Learners {
  regressions: Regressions
  boosted: Boosted
}

/** One for each step, from targets up to `through`; undefined where there are too few. */
export function fitLearners(
  view: ZoneView,
  features: Features,
  training: { ahead: number; through: DayNumber; steps: readonly InputStep[]; seed: number; trees: number },
): Learners[] | undefined {
  const windowDays = WINDOWS_DAYS.at(-1) as number
  const rows = targetRows(view, features, { ...training, windowDays })
  return fitRegressions(rows, features, training)?.map((regressions, at) => {
    const boosted = fitBoosted(rows, features, training.steps[at] as InputStep, training)
    return { regressions, boosted }
  })
}

/** The relative prices of a day's hours. */
export function applyLearners({ regressions, boosted }: Learners, features: Features, target: DayNumber): Float64Array {
  const straight = applyRegressions(regressions, features, target)
  const bent = applyBoosted(boosted, features, target)
  return straight.map((value, hour) => value + BOOSTED_SHARE * ((bent[hour] as number) - value))
}
