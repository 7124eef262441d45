/**
 * Features of a day, as known in the evening after the PUN of the day before was published: 142 numbers, all relative to the mean of the
 * last seven days, so that 2020, 2022 and 2025 share one scale. None is later than `target` − 1; gas lags by its own delay.
 */
import { INPUT_DELAY_DAYS } from '../../src/market/forecast-scope.ts'
import { type DayNumber, weekday } from '../calendar.ts'
import { type Features, features } from '../hourly/ensemble/features.ts'
import type { KnownPrices } from '../known-prices.ts'
import { RunningMeans } from '../numeric/running.ts'
import type { FilledSeries, MarketView } from './market-view.ts'

const GAS_DELAY_DAYS = INPUT_DELAY_DAYS.PUN
const HOURS = 24
const HOUR_LAGS = [1, 2, 3, 7]
const DAY_LAGS = 14
const MEAN_DAYS = [14, 28, 90, 182, 365]
const VOLATILITY_DAYS = 28
const HARMONICS = [1, 2]
const YEAR_DAYS = 365.25

/** Lags of holiday features: the target, its neighbours, and the days it is compared with. */
const HOLIDAY_LAGS = [0, -1, 1, 2, 7]

export const FEATURE_COUNT =
  HOURS * HOUR_LAGS.length +
  DAY_LAGS +
  MEAN_DAYS.length +
  2 +
  2 * 4 +
  1 +
  7 +
  HOLIDAY_LAGS.length +
  2 * HARMONICS.length

/** Days of PUN that the features of a target need before it. */
export const LOOK_BACK_DAYS = 28

export interface FeatureSource {
  /** Level of the seven days before the target, on the models' scale; the features and the target are relative to it. */
  level(target: DayNumber): number
  /** Fills `row` with the features of that day; NaN where unknown. */
  fill(target: DayNumber, row: Float64Array): void
  /** Features of the regressions of the hours, one day ahead. */
  hourly: Features
}

export function featureSource(view: MarketView): FeatureSource {
  const { pun, hours } = view
  const means = new RunningMeans(pun.filled)
  const changes = new RunningMeans(
    pun.filled.map((value, index) => Math.abs(value - (pun.filled[index - 1] ?? Number.NaN))),
  )
  const gas = { TTF: gasSource(view.gas.TTF, GAS_DELAY_DAYS.TTF), PSV: gasSource(view.gas.PSV, GAS_DELAY_DAYS.PSV) }
  const ratios = new RunningMeans(ratioToGas(pun, view.gas.TTF))
  const level = (target: DayNumber) => means.ending(target - 1 - pun.firstDay, 7)

  function fill(target: DayNumber, row: Float64Array): void {
    const last = target - 1 - pun.firstDay
    const base = level(target)
    let column = 0
    const add = (value: number) => {
      row[column++] = value
    }
    for (const lag of HOUR_LAGS) {
      const start = (target - lag - pun.firstDay) * HOURS
      for (let hour = 0; hour < HOURS; hour++) add((hours[start + hour] ?? Number.NaN) - base)
    }
    for (let lag = 1; lag <= DAY_LAGS; lag++) add((pun.filled[target - lag - pun.firstDay] ?? Number.NaN) - base)
    for (const days of MEAN_DAYS) add(means.ending(last, days) - base)
    add(changes.ending(last, VOLATILITY_DAYS))
    add(ratios.ending(last, 7) - ratios.ending(last, 365))
    for (const asset of ['TTF', 'PSV'] as const) {
      const [last, before, twoBefore, threeBefore] = [0, 1, 2, 3].map((lag) => gas[asset].on(target, lag)) as Four
      add(last - gas[asset].week(target))
      add(last - before)
      add(before - twoBefore)
      add(last - threeBefore)
    }
    add(gas.PSV.on(target, 0) - gas.TTF.on(target, 0))
    for (let day = 0; day < 7; day++) add(weekday(target) === day ? 1 : 0)
    for (const lag of HOLIDAY_LAGS) add(view.holidays.has(target - lag) ? 1 : 0)
    for (const harmonic of HARMONICS) {
      const angle = (2 * Math.PI * harmonic * target) / YEAR_DAYS
      add(Math.sin(angle))
      add(Math.cos(angle))
    }
  }

  return { level, fill, hourly: features(view.zone, 1) }
}

type Four = [number, number, number, number]

interface GasSource {
  /** The last price usable for a target, or the one `lag` days before it. */
  on(target: DayNumber, lag: number): number
  /** Mean of the seven days up to it. */
  week(target: DayNumber): number
}

function gasSource(gas: FilledSeries | undefined, delayDays: number): GasSource {
  if (!gas) return { on: () => Number.NaN, week: () => Number.NaN }
  const means = new RunningMeans(gas.filled)
  const cell = (target: DayNumber) => target - 1 - delayDays - gas.firstDay
  return {
    on: (target, lag) => gas.filled[cell(target) - lag] ?? Number.NaN,
    week: (target) => means.ending(cell(target), 7),
  }
}

/** Ratio of PUN to TTF by day of PUN, with TTF as known on that day; on the models' scale it is a difference. */
export function ratioToGas(pun: KnownPrices, ttf: FilledSeries | undefined): Float64Array {
  return pun.filled.map((value, index) => {
    if (!ttf) return Number.NaN
    return value - (ttf.filled[pun.firstDay + index - GAS_DELAY_DAYS.TTF - ttf.firstDay] ?? Number.NaN)
  })
}
