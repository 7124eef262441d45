/**
 * LEAR as published (Lago, Marcjasz, De Schutter, Weron 2021): one lasso for each of the 24 hours, on the hours one, two, three and seven
 * days before and the weekday. Columns and target are scaled by median and absolute deviation and an inverse hyperbolic sine; Akaike's
 * criterion selects the penalty; fitted daily on windows of 84, 364 and 1,092 days and averaged. Like our models, it also uses gas prices.
 */
import { type DayNumber, weekday } from '../../models/calendar.ts'
import type { Series } from '../../models/history.ts'
import { HOURS } from '../../models/hourly/history.ts'
import { lassoPath } from '../../models/lear/lasso-path.ts'
import { chooseFit } from '../../models/lear/lear.ts'
import { gram, moments } from '../../models/numeric/gram.ts'
import { median } from '../../models/numeric/quantile.ts'
import type { RealHours } from '../support/real-hours.ts'

const WINDOWS_DAYS = [84, 364, 1092]
const LAGS_DAYS = [1, 2, 3, 7]
const GAS_COLUMNS = 4
const SCALED_COLUMNS = HOURS * LAGS_DAYS.length + GAS_COLUMNS
const COLUMNS = SCALED_COLUMNS + 7
const AKAIKE = 2
/** Ratio of standard deviation to median absolute deviation of a normal distribution. */
const DEVIATION_OF_MAD = 1 / 0.6744897501960817

export interface LearDay {
  forecast: Float64Array
  /** Prices, €/MWh. */
  actual: ArrayLike<number>
}

/** Forecasts PUN for each day from the prices up to the day before; gas as known in the evening or at midday. */
export function publishedLear(
  real: RealHours,
  { from, to, isMidday = false }: { from: DayNumber; to: DayNumber; isMidday?: boolean },
): LearDay[] {
  const { firstDay, values } = real.prices('nazionale')
  const hoursOn = (day: DayNumber) => values.subarray((day - firstDay) * HOURS, (day - firstDay + 1) * HOURS)
  const { TTF, PSV } = real.all.series
  const age = isMidday ? 1 : 0
  const columnsOf = (day: DayNumber): Float64Array => {
    const columns = new Float64Array(COLUMNS)
    LAGS_DAYS.forEach((lag, at) => {
      columns.set(hoursOn(day - lag), at * HOURS)
    })
    const gas = [
      lastOf(TTF, day - 2 - age),
      lastOf(TTF, day - 3 - age),
      lastOf(PSV, day - 1 - age),
      lastOf(PSV, day - 2 - age),
    ]
    columns.set(gas, SCALED_COLUMNS - GAS_COLUMNS)
    columns[SCALED_COLUMNS + weekday(day)] = 1
    return columns
  }
  const first = from - Math.max(...WINDOWS_DAYS)
  const known = Array.from({ length: to - first + 1 }, (_, at) => columnsOf(first + at))
  const isComplete = (day: DayNumber) => ![...(known[day - first] as Float64Array), ...hoursOn(day)].some(Number.isNaN)
  return Array.from({ length: to - from + 1 }, (_, at): LearDay => {
    const target = from + at
    const fits = WINDOWS_DAYS.map((window) => {
      const days = Array.from({ length: window }, (_, back) => target - window + back).filter(isComplete)
      const rows = days.map((day) => known[day - first] as Float64Array)
      return forecast(rows, days.map(hoursOn), known[target - first] as Float64Array)
    })
    const mean = new Float64Array(HOURS).map(
      (_, hour) => fits.reduce((sum, fit) => sum + (fit[hour] as number), 0) / fits.length,
    )
    return { forecast: mean, actual: hoursOn(target) }
  })
}

function lastOf({ firstDay, prices }: Series, day: DayNumber): number {
  let at = Math.min(day - firstDay, prices.length - 1)
  while (at > 0 && Number.isNaN(prices[at])) at--
  return prices[at] ?? Number.NaN
}

function forecast(rows: readonly Float64Array[], hours: readonly ArrayLike<number>[], of: Float64Array): number[] {
  const cells = new Float64Array(rows.length * COLUMNS)
  const table = { rows: rows.length, columns: COLUMNS, cells }
  const own = new Float64Array(COLUMNS)
  for (let column = 0; column < COLUMNS; column++) {
    const raw = rows.map((row) => row[column] as number)
    const { to } = column < SCALED_COLUMNS ? scaleOf(raw) : { to: (value: number) => value }
    const scaled = raw.map(to)
    const mean = meanOf(scaled)
    scaled.forEach((value, row) => {
      cells[row * COLUMNS + column] = value - mean
    })
    own[column] = to(of[column] as number) - mean
  }
  const products = gram(table)
  return Array.from({ length: HOURS }, (_, hour) => {
    const raw = hours.map((day) => day[hour] as number)
    const { to, back } = scaleOf(raw)
    const scaled = raw.map(to)
    const mean = meanOf(scaled)
    const centred = scaled.map((value) => value - mean)
    const targetSquares = centred.reduce((sum, value) => sum + value * value, 0)
    const path = lassoPath({ gram: products, moments: moments(table, centred), targetSquares })
    const { coefficients } = chooseFit(path, rows.length, AKAIKE)
    return back(coefficients.reduce((sum, value, column) => sum + value * (own[column] as number), mean))
  })
}

function scaleOf(values: readonly number[]) {
  const middle = median(values)
  const deviation = DEVIATION_OF_MAD * median(values.map((value) => Math.abs(value - middle))) || 1
  return {
    to: (value: number) => Math.asinh((value - middle) / deviation),
    back: (value: number) => deviation * Math.sinh(value) + middle,
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
