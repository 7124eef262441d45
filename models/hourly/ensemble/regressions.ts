/**
 * Regressions of one zone for one number of days ahead: for each set of inputs and kind of day, one rule with 24 outputs and 24 rules
 * with one output. Days of the target's season and kind have the most weight.
 */
import type { DayNumber } from '../../calendar.ts'
import type { InputStep } from '../../model.ts'
import { applyRule, fitWindows, type LinearRule, lastDays, type Window } from '../../numeric/windowed-ridge.ts'
import { HOURS } from '../history.ts'
import type { FeatureSet, Features } from './features.ts'
import type { TargetRows } from './target-rows.ts'

/** Days of history that the regressions learn from. */
export const LEARNED_DAYS = 2912
const RECENT_DAYS = 728
/** Standard deviation of the season around the target's day of the year. This and the next two: chosen on July 2022 to 2023. */
const SEASON_DAYS = 30
const SEASON_HALF_LIFE_DAYS = 1456
/** Weight of days of other kinds, such as working days in the rules for Sundays. */
const OTHER_KINDS_SHARE = 0.25
const WEIGHT_MIN = 0.01
const YEAR_DAYS = 365.25
/** Ridge penalties for a fit to `rows` rows. */
export const PENALTIES = { day: [50, 200, 800], hour: [10, 30, 100], rows: 1456 }
/** Half a year. */
export const ROWS_MIN = 182

interface RulesOfKind {
  day: LinearRule
  hours: LinearRule[]
}

/** Indexed by kind of day. */
export type Regressions = RulesOfKind[]

/** The last two years, which follow the market, and the same season of all years, with its sunshine and holidays. */
export function windowsFor(through: DayNumber, target: DayNumber): Window[] {
  const season: Window = (day) => {
    const away = Math.abs(target - day) % YEAR_DAYS
    const apart = Math.min(away, YEAR_DAYS - away)
    const weight = Math.exp(-0.5 * (apart / SEASON_DAYS) ** 2) * 2 ** ((day - target) / SEASON_HALF_LIFE_DAYS)
    return weight > WEIGHT_MIN ? weight : 0
  }
  return [lastDays(RECENT_DAYS, through), season]
}

/** Fits one set per step; undefined if there are too few targets up to `through`. */
export function fitRegressions(
  { days, targets }: TargetRows,
  features: Features,
  { ahead, through, steps }: { ahead: number; through: DayNumber; steps: readonly InputStep[] },
): Regressions[] | undefined {
  const kinds = { ...features.kinds, othersShare: OTHER_KINDS_SHARE }
  const windows = windowsFor(through, through + ahead)
  const options = { through, windows, rowsMin: ROWS_MIN, kinds, penaltyRows: PENALTIES.rows }
  const ofDay = fitWindows(
    { days, columns: features.day.columns, inputs: inputsOf(features.day, days, 0), outputs: HOURS, targets },
    { ...options, penalties: PENALTIES.day, subsets: steps.map((step) => features.day.columnsOf(step)) },
  )
  if (!ofDay) return undefined
  const subsets = steps.map((step) => features.hour.columnsOf(step))
  const inputs = new Float64Array(days.length * features.hour.columns)
  const ofHours = Array.from({ length: HOURS }, (_, hour) => {
    const own = Float64Array.from(days, (_, at) => targets[at * HOURS + hour] as number)
    fillInputs(inputs, features.hour, days, hour)
    const rows = { days, columns: features.hour.columns, inputs, outputs: 1, targets: own }
    return fitWindows(rows, { ...options, penalties: PENALTIES.hour, subsets }) as LinearRule[][]
  })
  return steps.map((_, at) =>
    ofDay.map((rules, kind) => ({
      day: rules[at] as LinearRule,
      hours: ofHours.map((byKind) => byKind[kind]?.[at] as LinearRule),
    })),
  )
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
export function applyRegressions(regressions: Regressions, features: Features, target: DayNumber): Float64Array {
  const { day, hours } = regressions[features.kinds.of(target)] as RulesOfKind
  const row = new Float64Array(features.day.columns)
  features.day.fill(row, target, 0)
  const whole = applyRule(day, row)
  const own = new Float64Array(features.hour.columns)
  return whole.map((value, hour) => {
    features.hour.fill(own, target, hour)
    return (value + (applyRule(hours[hour] as LinearRule, own)[0] as number)) / 2
  })
}
