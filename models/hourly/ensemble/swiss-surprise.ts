/**
 * The surprise in the Swiss price: its difference from the expected price, and the share of it that the zone's prices have recently
 * followed. If Italy decouples from Switzerland, that share falls towards zero.
 */
import type { DayNumber } from '../../calendar.ts'
import { applyRule, fitWindows, type LinearRule } from '../../numeric/windowed-ridge.ts'
import { type DailyHours, HOURS, hasDay, hourOn } from '../history.ts'
import type { Features } from './features.ts'
import { inputsOf, PENALTIES, ROWS_MIN, windowsFor } from './regressions.ts'
import { toRelative } from './relative-price.ts'

/** Past days from which the pass-through share is estimated. */
export const PASS_THROUGH_DAYS = 90
const BLOCK_HOURS = 4
/** Ridge penalty of the pass-through share, in squared surprise summed over a block's hours. */
const RIDGE_PENALTY = 0.5

/** Regression of a day's Swiss hours, relative to the zone's level, on all other inputs; undefined where there are too few days. */
export function fitExpected(
  swiss: DailyHours,
  features: Features,
  days: readonly DayNumber[],
  through: DayNumber,
): LinearRule | undefined {
  const known = days.filter((day) => hasDay(swiss, day))
  const targets = new Float64Array(known.length * HOURS)
  known.forEach((day, at) => {
    targets.set(swissHours(swiss, features, day), at * HOURS)
  })
  const inputs = inputsOf(features.day, known, 0)
  const subsets = [features.day.columnsOf('without-neighbours')]
  return fitWindows(
    { days: known, columns: features.day.columns, inputs, outputs: HOURS, targets },
    {
      ...{ through, windows: windowsFor(through, through + 1), rowsMin: ROWS_MIN, subsets },
      ...{ penalties: PENALTIES.day, penaltyRows: PENALTIES.rows },
    },
  )?.[0]?.[0]
}

/** The surprise by hour, relative; 0 where the Swiss price is not known. */
export function surpriseOf(
  swiss: DailyHours | undefined,
  expected: LinearRule,
  features: Features,
  target: DayNumber,
): Float64Array {
  if (!swiss || !hasDay(swiss, target)) return new Float64Array(HOURS)
  const row = new Float64Array(features.day.columns)
  features.day.fill(row, target, 0)
  const usual = applyRule(expected, row)
  return swissHours(swiss, features, target).map((price, hour) => price - (usual[hour] as number))
}

function swissHours(swiss: DailyHours, features: Features, day: DayNumber): Float64Array {
  const level = features.level(day)
  return Float64Array.from({ length: HOURS }, (_, hour) => toRelative(hourOn(swiss, day, hour), level))
}

/** One past day: the Swiss surprise and the error of a forecast without the Swiss price, by hour, relative; NaN where there is none. */
export interface SurpriseDay {
  news: ArrayLike<number>
  errors: ArrayLike<number>
}

/** Share of the surprise, by hour, that forecast errors followed on those days, from 0 to 1. */
export function passThroughShares(past: readonly SurpriseDay[]): Float64Array {
  const shares = new Float64Array(HOURS)
  for (let start = 0; start < HOURS; start += BLOCK_HOURS) {
    let [products, squares] = [0, RIDGE_PENALTY]
    for (const { news, errors } of past) {
      for (let hour = start; hour < start + BLOCK_HOURS; hour++) {
        const error = errors[hour] as number
        if (Number.isNaN(error)) continue
        products += error * (news[hour] as number)
        squares += (news[hour] as number) ** 2
      }
    }
    shares.fill(Math.max(0, Math.min(1, products / squares)), start, start + BLOCK_HOURS)
  }
  return shares
}
