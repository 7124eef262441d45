/**
 * Features at an origin for the weeks after it: the last days and longer means relative to the week's level, volatility, gas
 * prices, and the season of the target. None of them depends on the level of prices.
 */
import { INPUT_DELAY_DAYS } from '../../src/market/forecast-scope.ts'
import type { DayNumber } from '../calendar.ts'
import { RunningMeans } from '../numeric/running.ts'
import { ratioToGas } from '../pun/features.ts'
import type { FilledSeries, MarketView } from '../pun/market-view.ts'

const GAS_DELAY_DAYS = INPUT_DELAY_DAYS.PUN
const DAY_LAGS = 7
const PUN_MEANS = [14, 28, 56, 90, 182, 365]
const GAS_MEANS = [7, 28, 90, 182, 365]
const VOLATILITY_DAYS = [14, 90]
const RATIO_DAYS = [28, 365]
const YEAR_DAYS = 365.25

/** More than any horizon. */
const KEY_STRIDE = 1024

/** Cached, because every refit uses the same features. */
export type CurveFeatures = (origin: DayNumber, target: DayNumber) => Float64Array

export function curveFeatures(view: MarketView): CurveFeatures {
  const { pun } = view
  const means = new RunningMeans(pun.filled)
  const changes = new RunningMeans(
    pun.filled.map((value, index) => Math.abs(value - (pun.filled[index - 1] ?? Number.NaN))),
  )
  const ratios = new RunningMeans(ratioToGas(pun, view.gas.TTF))
  const gas = [gasAgainstMeans(view.gas.TTF, GAS_DELAY_DAYS.TTF), gasAgainstMeans(view.gas.PSV, GAS_DELAY_DAYS.PSV)]

  const rows = new Map<number, Float64Array>()
  return (origin, target) => {
    const key = origin * KEY_STRIDE + target - origin
    const row = rows.get(key) ?? features(origin, target)
    rows.set(key, row)
    return row
  }

  function features(origin: DayNumber, target: DayNumber): Float64Array {
    const at = origin - pun.firstDay
    const level = means.ending(at, 7)
    const angle = (2 * Math.PI * target) / YEAR_DAYS
    return Float64Array.from([
      ...Array.from({ length: DAY_LAGS }, (_, lag) => (pun.filled[at - lag] ?? Number.NaN) - level),
      ...PUN_MEANS.map((days) => means.ending(at, days) - level),
      ...VOLATILITY_DAYS.map((days) => changes.ending(at, days)),
      ...RATIO_DAYS.map((days) => ratios.ending(at, 7) - ratios.ending(at, days)),
      ...gas.flatMap((values) => values(origin)),
      Math.sin(angle),
      Math.cos(angle),
      Math.sin(2 * angle),
      Math.cos(2 * angle),
      view.holidays.has(target) ? 1 : 0,
      view.holidays.has(target - 1) || view.holidays.has(target + 1) ? 1 : 0,
    ])
  }
}

/** Last gas price known at the origin, relative to its means. */
function gasAgainstMeans(gas: FilledSeries | undefined, delayDays: number): (origin: DayNumber) => number[] {
  if (!gas) return () => GAS_MEANS.map(() => Number.NaN)
  const means = new RunningMeans(gas.filled)
  return (origin) => {
    const at = origin - delayDays - gas.firstDay
    return GAS_MEANS.map((days) => (gas.filled[at] ?? Number.NaN) - means.ending(at, days))
  }
}
