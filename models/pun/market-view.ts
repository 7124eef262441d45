/** Inputs of the models of PUN, up to an info date: hours and days of PUN, and gas as known in the evening after that PUN. */
import { INPUT_DELAY_DAYS } from '../../src/market/forecast-scope.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { DayNumber } from '../calendar.ts'
import { type History, seriesThrough } from '../history.ts'
import { GAS_AGE_DAYS_MAX, type ZoneView, zoneView } from '../hourly/ensemble/zone-view.ts'
import type { HourlyHistory } from '../hourly/history.ts'
import { type KnownPrices, knownPrices } from '../known-prices.ts'
import type { ForecastAsset } from '../model.ts'
import { toScale } from '../scale.ts'

const HOURS = 24
const WEEK = 7

const GAS_DELAY_DAYS = INPUT_DELAY_DAYS.PUN

/** Gas prices by day, from `firstDay` to the last day that may be used, on the models' scale; gaps take the last price before them. */
export interface FilledSeries {
  firstDay: DayNumber
  filled: Float64Array
}

export interface MarketView {
  pun: KnownPrices
  /** 24 clock hours a day from `pun.firstDay` on the models' scale, gaps filled from the days before: for looking back. */
  hours: Float64Array
  /** The same prices in the form that the regressions of the hours use. */
  zone: ZoneView
  /** Undefined if nothing is known. */
  gas: Record<keyof typeof GAS_DELAY_DAYS, FilledSeries | undefined>
  holidays: ReadonlySet<DayNumber>
}

export function marketView(history: History, infoDay: DayNumber): MarketView | undefined {
  const pun = knownPrices(history, 'PUN', infoDay)
  if (!pun) return undefined
  const PSV = filledThrough(history, 'PSV', pun.lastDay - GAS_DELAY_DAYS.PSV)
  const TTF = filledThrough(history, 'TTF', pun.lastDay - GAS_DELAY_DAYS.TTF)
  return {
    pun,
    hours: filledHours(pun, seriesThrough(history.series.PUN, infoDay).hours),
    gas: { PSV: PSV && extrapolateWith(PSV, TTF), TTF: TTF && extrapolateWith(TTF, PSV) },
    holidays: history.holidays,
    zone: zoneView(hourlyHistory(history, infoDay)) as ZoneView,
  }
}

/** Converts the history to the input of an hourly model, without load and weather. */
function hourlyHistory({ knownAt, series, holidays }: History, infoDay: DayNumber): HourlyHistory {
  const { firstDay, prices, hours } = seriesThrough(series.PUN, infoDay)
  const values = hours ?? new Float64Array(prices.length * HOURS).fill(Number.NaN)
  const national = { firstDay, values, means: prices }
  const { PSV, TTF } = series
  const zone = NATIONAL_ZONE
  return { knownAt, zone, prices: national, national, gas: { PSV, TTF }, holidays, fundamentals: {} }
}

interface GasPrices extends FilledSeries {
  /** The last day with a price. */
  lastDay: DayNumber
}

/** Fills prices up to that day, also over weekends; a price not published yet at midday is replaced by the last one until the evening. */
function filledThrough(history: History, asset: ForecastAsset, day: DayNumber): GasPrices | undefined {
  const known = knownPrices(history, asset, day)
  if (!known) return undefined
  const { firstDay, lastDay } = known
  const filled = new Float64Array(day - firstDay + 1).fill(known.filled.at(-1) as number)
  filled.set(known.filled)
  return { firstDay, lastDay, filled }
}

/** Continues an ended series with the moves of the other one: holding its last price constant would invent a spread. */
function extrapolateWith({ firstDay, lastDay, filled }: GasPrices, other: GasPrices | undefined): FilledSeries {
  const end = firstDay + filled.length - 1
  const moved = (day: DayNumber) => other?.filled[Math.min(day, other.lastDay) - other.firstDay] ?? Number.NaN
  if (end - lastDay <= GAS_AGE_DAYS_MAX || Number.isNaN(moved(lastDay))) return { firstDay, filled }
  const last = filled[lastDay - firstDay] as number
  return {
    firstDay,
    filled: filled.map((price, at) => (firstDay + at > lastDay ? last + moved(firstDay + at) - moved(lastDay) : price)),
  }
}

function filledHours(pun: KnownPrices, hours: Float64Array | undefined): Float64Array {
  const filled = new Float64Array(pun.prices.length * HOURS)
  for (let cell = 0; cell < filled.length; cell++) {
    const price = hours?.[cell] ?? Number.NaN
    const day = Math.floor(cell / HOURS)
    filled[cell] = Number.isNaN(price) ? fallback(pun, filled, day, cell) : toScale('PUN', price)
  }
  return filled
}

/**
 * Fills a missing hour. If the day has a mean, the hour keeps the distance from it that the same hour had a week before, so that the day is
 * not 24 equal hours. Without a mean it is the same hour of the day before.
 */
function fallback(pun: KnownPrices, filled: Float64Array, day: number, cell: number): number {
  const mean = pun.scaled[day] as number
  if (Number.isNaN(mean)) return filled[cell - HOURS] ?? Number.NaN
  const [hourBefore, meanBefore] = [filled[cell - WEEK * HOURS] ?? Number.NaN, pun.filled[day - WEEK] ?? Number.NaN]
  return Number.isNaN(hourBefore) ? mean : mean + hourBefore - meanBefore
}
