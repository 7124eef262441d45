/** Learners of the hours for one number of days ahead and one set of inputs: regressions and boosted trees, averaged. */
import type { DayNumber } from '../../calendar.ts'
import type { InputStep } from '../../model.ts'
import type { LinearRule } from '../../numeric/windowed-ridge.ts'
import { applyBoosted, type Boosted, type BoostingRows, boostingRows, fitBoosted, isKept } from './boosting.ts'
import type { Features } from './features.ts'
import { applyRegressions, fitRegressions, LEARNED_DAYS, type Regressions } from './regressions.ts'
import { fitExpected } from './swiss-surprise.ts'
import { targetRows } from './target-rows.ts'
import type { ZoneView } from './zone-view.ts'

export { ROWS_MIN } from './regressions.ts'

/** Chosen on July 2022 to 2023. */
const BOOSTED_SHARE = 0.25
/** Beyond the next day there are fewer trees, and only for the steps that are used most. */
const LATER_TREES_SHARE = 0.5
const PLAIN: InputStep = 'prices-only'
const STEPS_WITH_TREES: readonly InputStep[] = ['without-neighbours', PLAIN]

export interface Learners {
  regressions: Regressions
  boosted: Boosted | null
  /** For a step with more inputs than prices: the prices-only learners, which have a share in the day's level. */
  plain: Learners | null
  /** If a neighbour's price is known: the learners without it, and the regression of its expected value. */
  news: { base: Learners; expected: LinearRule } | null
}

/** Fits one per step on targets up to `through`; undefined if there are too few. `before` are the learners in use. */
export function fitLearners(
  view: ZoneView,
  features: Features,
  training: { ahead: number; through: DayNumber; steps: readonly InputStep[]; seed: number; trees: number },
  before: readonly (Learners | undefined)[] = [],
): Learners[] | undefined {
  const rows = targetRows(view, features, { ...training, windowDays: LEARNED_DAYS })
  const { ahead } = training
  const steps = [...new Set<InputStep>([...training.steps, PLAIN])]
  const trees = Math.ceil(training.trees * (ahead === 1 ? 1 : LATER_TREES_SHARE))
  let binned: BoostingRows | undefined
  const boostedOf = (step: InputStep, known: Boosted | null | undefined) => {
    if (known && isKept(known, training)) return known
    binned ??= boostingRows(rows, features, training.through)
    return fitBoosted(binned, features, step, { ...training, trees })
  }
  const learners = fitRegressions(rows, features, { ...training, steps })?.map((regressions, at): Learners => {
    const step = steps[at] as InputStep
    const hasTrees = trees > 0 && (ahead === 1 || STEPS_WITH_TREES.includes(step))
    const known = (at < training.steps.length ? before[at] : before[0]?.plain)?.boosted
    return { regressions, boosted: hasTrees ? boostedOf(step, known) : null, plain: null, news: null }
  })
  if (!learners) return undefined
  const of = (step: InputStep) => learners[steps.indexOf(step)]
  const plain = of(PLAIN) as Learners
  for (const one of learners) if (one !== plain) one.plain = plain
  const [all, base, swiss] = [of('everything'), of('without-neighbours'), view.fundamentals.neighbours?.CH]
  if (all && base && swiss) {
    const expected = fitExpected(swiss, features, rows.days, training.through)
    if (expected) all.news = { base, expected }
  }
  return learners.slice(0, training.steps.length)
}

/** Refits the regressions of prices-only learners on targets up to `through`; their trees are kept. */
export function withFreshRegressions(
  learners: Learners,
  view: ZoneView,
  features: Features,
  { ahead, through }: { ahead: number; through: DayNumber },
): Learners {
  const rows = targetRows(view, features, { ahead, through, windowDays: LEARNED_DAYS })
  const [regressions] = fitRegressions(rows, features, { ahead, through, steps: [PLAIN] }) ?? []
  return regressions ? { ...learners, regressions } : learners
}

/** The relative prices of a day's hours. */
export function applyLearners({ regressions, boosted }: Learners, features: Features, target: DayNumber): Float64Array {
  const linear = applyRegressions(regressions, features, target)
  if (!boosted) return linear
  const nonlinear = applyBoosted(boosted, features, target)
  return linear.map((value, hour) => value + BOOSTED_SHARE * ((nonlinear[hour] as number) - value))
}
