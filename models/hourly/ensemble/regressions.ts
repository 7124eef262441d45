/** The regressions of one zone, so many days ahead: one rule with 24 outputs and 24 rules with one, for each set of inputs. */
import type { DayNumber } from '../../calendar.ts'
import type { InputStep } from '../../model.ts'
import { applyRule, fitWindows, type LinearRule } from '../../numeric/windowed-ridge.ts'
import { HOURS } from '../history.ts'
import type { FeatureSet, Features } from './features.ts'
import type { TargetRows } from './target-rows.ts'

/** Chosen on 2020 to 2023: long windows are steadier, short ones follow the market. */
export const WINDOWS_DAYS = [364, 728, 1092, 1820, 2912]
export const DAY_PENALTIES = [50, 200, 800]
const HOUR_PENALTIES = [10, 30, 100]
/** Half of the shortest window. */
export const ROWS_MIN = 182

export interface Regressions {
  day: LinearRule
  hours: LinearRule[]
}

/** One for each step; undefined where there are too few targets up to `through`. */
export function fitRegressions(
  { days, targets }: TargetRows,
  features: Features,
  { through, steps }: { through: DayNumber; steps: readonly InputStep[] },
): Regressions[] | undefined {
  const options = { through, windowsDays: WINDOWS_DAYS, rowsMin: ROWS_MIN }
  const ofDay = fitWindows(
    { days, columns: features.day.columns, inputs: inputsOf(features.day, days, 0), outputs: HOURS, targets },
    { ...options, penalties: DAY_PENALTIES, subsets: steps.map((step) => features.day.columnsOf(step)) },
  )
  if (!ofDay) return undefined
  const subsets = steps.map((step) => features.hour.columnsOf(step))
  const inputs = new Float64Array(days.length * features.hour.columns)
  const ofHours = Array.from({ length: HOURS }, (_, hour) => {
    const own = Float64Array.from(days, (_, at) => targets[at * HOURS + hour] as number)
    fillInputs(inputs, features.hour, days, hour)
    const rows = { days, columns: features.hour.columns, inputs, outputs: 1, targets: own }
    return fitWindows(rows, { ...options, penalties: HOUR_PENALTIES, subsets }) as LinearRule[]
  })
  return steps.map((_, at) => ({
    day: ofDay[at] as LinearRule,
    hours: ofHours.map((rules) => rules[at] as LinearRule),
  }))
}

export function inputsOf(set: FeatureSet, days: readonly DayNumber[], hour: number): Float64Array {
  const inputs = new Float64Array(days.length * set.columns)
  fillInputs(inputs, set, days, hour)
  return inputs
}

function fillInputs(inputs: Float64Array, set: FeatureSet, days: readonly DayNumber[], hour: number): void {
  days.forEach((day, at) => {
    set.fill(inputs.subarray(at * set.columns, (at + 1) * set.columns), day, hour)
  })
}

/** The relative prices of a day's hours. */
export function applyRegressions({ day, hours }: Regressions, features: Features, target: DayNumber): Float64Array {
  const row = new Float64Array(features.day.columns)
  features.day.fill(row, target, 0)
  const whole = applyRule(day, row)
  const own = new Float64Array(features.hour.columns)
  return whole.map((value, hour) => {
    features.hour.fill(own, target, hour)
    return (value + (applyRule(hours[hour] as LinearRule, own)[0] as number)) / 2
  })
}
