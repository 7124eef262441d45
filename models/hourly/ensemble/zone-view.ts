/** A zone's past as the features use it: gaps filled, gas as known in the evening after the last price. */
import { INPUT_DELAY_DAYS } from '../../../src/market/forecast-scope.ts'
import type { DayNumber } from '../../calendar.ts'
import { lastDay as lastPricedOf, type Series, seriesThrough } from '../../history.ts'
import { fillForward } from '../../known-prices.ts'
import { RunningMeans } from '../../numeric/running.ts'
import { type Fundamentals, HOURS, type HourlyHistory, type HourlyPrices, lastPricedDay } from '../history.ts'

const WEEK = 7
const GAS_DELAY_DAYS = INPUT_DELAY_DAYS.PUN
/** A gas series with an older last price has ended or failed; from then on it follows the moves of the other one. */
export const GAS_AGE_DAYS_MAX = 7

export interface ZoneView {
  firstDay: DayNumber
  /** The info date. */
  lastDay: DayNumber
  /** Prices as published, by day from `firstDay`; NaN where unknown. */
  published: Float64Array
  /** `published` without gaps, for looking back: a day with only a mean takes the shape of the same weekday a week earlier. */
  hours: Float64Array
  /** By day, without gaps. */
  means: Float64Array
  /** Running means of `means`. */
  running: RunningMeans
  /** Logarithm of gas prices by day of the zone, as known at the time. */
  gas: GasView
  holidays: ReadonlySet<DayNumber>
  fundamentals: Fundamentals
}

interface GasView {
  /** Index 0 is `firstDay`. */
  TTF: Float64Array
  PSV: Float64Array
}

/** Returns undefined if the zone has no price. */
export function zoneView({ prices: own, national, gas, holidays, fundamentals }: HourlyHistory): ZoneView | undefined {
  const lastDay = lastPricedDay(own)
  if (lastDay === undefined) return undefined
  const prices = withPast(own, national)
  const { firstDay } = prices
  const means = fillForward(prices.means)
  const [TTF, PSV] = (['TTF', 'PSV'] as const).map((name) =>
    logsAsKnown(gas[name], firstDay, lastDay, GAS_DELAY_DAYS[name]),
  ) as [KnownLogs, KnownLogs]
  return {
    firstDay,
    lastDay,
    published: prices.values,
    hours: withoutGaps(prices, means),
    means,
    running: new RunningMeans(means),
    gas: { TTF: extrapolateWith(TTF, PSV), PSV: extrapolateWith(PSV, TTF) },
    holidays,
    fundamentals,
  }
}

/** Prepends the PUN to a zone with a shorter history; this is valid because models do not depend on the level of prices. */
function withPast(own: HourlyPrices, national: HourlyPrices): HourlyPrices {
  const days = own.firstDay - national.firstDay
  if (days <= 0 || national.means.length < days) return own
  const joined = (past: Float64Array, later: Float64Array) => {
    const values = new Float64Array(past.length + later.length)
    values.set(past)
    values.set(later, past.length)
    return values
  }
  return {
    firstDay: national.firstDay,
    values: joined(national.values.subarray(0, days * HOURS), own.values),
    means: joined(national.means.subarray(0, days), own.means),
  }
}

/** Logarithms by day of the zone, and the last day for which a price was published. */
interface KnownLogs {
  logs: Float64Array
  last: number
}

/** An unpublished price is replaced by the last one before it, never by a later one. */
function logsAsKnown(series: Series, firstDay: DayNumber, lastDay: DayNumber, delayDays: number): KnownLogs {
  const known = seriesThrough(series, lastDay - delayDays)
  const filled = fillForward(known.prices)
  const latest = filled.at(-1) ?? Number.NaN
  const logs = Float64Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
    const at = firstDay + index - delayDays - known.firstDay
    const price = at >= filled.length ? latest : (filled[at] ?? Number.NaN)
    return price > 0 ? Math.log(price) : Number.NaN
  })
  return { logs, last: (lastPricedOf(known) ?? Number.NaN) + delayDays - firstDay }
}

/** Continues an ended series with the moves of the other one: holding its last price constant would invent a spread. */
function extrapolateWith({ logs, last }: KnownLogs, other: KnownLogs): Float64Array {
  const moved = (day: number) => (other.logs[day] ?? Number.NaN) - (other.logs[last] ?? Number.NaN)
  if (!(logs.length - 1 - last > GAS_AGE_DAYS_MAX) || Number.isNaN(moved(logs.length - 1))) return logs
  return logs.map((log, day) => (day > last ? log + moved(day) : log))
}

function withoutGaps({ values }: HourlyPrices, means: Float64Array): Float64Array {
  const hours = Float64Array.from(values)
  for (let cell = 0; cell < hours.length; cell++) {
    if (!Number.isNaN(hours[cell])) continue
    const day = Math.floor(cell / HOURS)
    const mean = means[day] as number
    const [before, meanBefore] = [hours[cell - WEEK * HOURS] ?? Number.NaN, means[day - WEEK] ?? Number.NaN]
    hours[cell] = Number.isNaN(before) ? mean : mean + before - meanBefore
  }
  return hours
}
