/**
 * Forecasts of load, wind and sun as features: relative to the last week, relative to the last day, and absolute, all as a share of the
 * week's mean load.
 */
import type { DayNumber } from '../../calendar.ts'
import { RunningMeans } from '../../numeric/running.ts'
import { type DailyHours, HOURS } from '../history.ts'
import type { ZoneView } from './zone-view.ts'

const WEEK = 7
export const DRIVERS = ['load', 'wind', 'solar', 'residual'] as const
export const DRIVER_VIEWS = 3
/** Indices of the drivers that depend on the weather: wind, solar, residual. */
export const USUAL_DRIVERS = [1, 2, 3]

export interface Drivers {
  /** Views of a driver: relative to the week, relative to the last day, absolute; NaN where unknown. */
  ofHour(target: DayNumber, hour: number, driver: number, view: number): number
  /** Mean of `ofHour` over the day's hours. */
  ofDay(target: DayNumber, driver: number, view: number): number
}

/** Returns undefined if no load is known, because wind and sun are expressed as a share of it. */
export function driversOf({ firstDay, lastDay, fundamentals }: ZoneView, ahead: number): Drivers | undefined {
  const { load, wind, solar } = fundamentals
  if (!load) return undefined
  const days = lastDay - firstDay + 1 + ahead
  const loads = loadPath(load, firstDay, days)
  const winds = path(wind, firstDay, days)
  const suns = path(solar, firstDay, days)
  const residuals = loads.map((value, cell) => value - (winds[cell] as number) - (suns[cell] as number))
  const scales = new RunningMeans(loads)
  const tables = [loads, winds, suns, residuals].map((values) => table(values, scales, days, ahead))
  return {
    ofHour: (target, hour, driver, view) =>
      tables[driver]?.hours[((target - firstDay) * HOURS + hour) * DRIVER_VIEWS + view] ?? Number.NaN,
    ofDay: (target, driver, view) => tables[driver]?.days[(target - firstDay) * DRIVER_VIEWS + view] ?? Number.NaN,
  }
}

/** Like `driversOf`, with the usual output of wind and sun. */
export function usualDriversOf(view: ZoneView, ahead: number): Drivers | undefined {
  const { load, usual } = view.fundamentals
  return load && usual && driversOf({ ...view, fundamentals: { load, ...usual } }, ahead)
}

function path(series: DailyHours | undefined, firstDay: DayNumber, days: number): Float64Array {
  const hours = new Float64Array(days * HOURS).fill(Number.NaN)
  if (!series) return hours
  const ahead = (series.firstDay - firstDay) * HOURS
  const known = series.values.subarray(Math.max(0, -ahead), Math.max(0, hours.length - ahead))
  if (ahead < hours.length) hours.set(known, Math.max(0, ahead))
  return hours
}

/** Beyond the reach of its forecast, load is that of the same weekday one week earlier. */
function loadPath(load: DailyHours, firstDay: DayNumber, days: number): Float64Array {
  const loads = path(load, firstDay, days)
  for (let cell = WEEK * HOURS; cell < loads.length; cell++)
    if (Number.isNaN(loads[cell])) loads[cell] = loads[cell - WEEK * HOURS] as number
  return loads
}

function table(values: Float64Array, scales: RunningMeans, days: number, ahead: number) {
  const hours = new Float64Array(days * HOURS * DRIVER_VIEWS).fill(Number.NaN)
  const means = new Float64Array(days * DRIVER_VIEWS).fill(Number.NaN)
  const weeks = new Float64Array(HOURS)
  for (let day = ahead; day < days; day++) {
    const origin = day - ahead
    const scale = scales.ending((origin + 1) * HOURS - 1, WEEK * HOURS)
    for (let hour = 0; hour < HOURS; hour++) weeks[hour] = weekMean(values, origin, hour)
    const sums = [0, 0, 0]
    for (let hour = 0; hour < HOURS; hour++) {
      const value = values[day * HOURS + hour] as number
      const start = (day * HOURS + hour) * DRIVER_VIEWS
      hours[start] = (value - (weeks[hour] as number)) / scale
      hours[start + 1] = (value - (values[origin * HOURS + hour] as number)) / scale
      hours[start + 2] = value / scale
      for (let view = 0; view < DRIVER_VIEWS; view++)
        sums[view] = (sums[view] as number) + (hours[start + view] as number) / HOURS
    }
    means.set(sums, day * DRIVER_VIEWS)
  }
  return { hours, days: means }
}

function weekMean(values: Float64Array, origin: number, hour: number): number {
  if (origin < WEEK - 1) return Number.NaN
  let sum = 0
  for (let day = origin; day > origin - WEEK; day--) sum += values[day * HOURS + hour] as number
  return sum / WEEK
}
