/** An asset's prices up to its info date, in the forms that every model needs. */
import { type DayNumber, hasMarket } from './calendar.ts'
import { type History, lastDay, seriesThrough } from './history.ts'
import type { ForecastAsset } from './model.ts'
import { toScale } from './scale.ts'

export interface KnownPrices {
  asset: ForecastAsset
  firstDay: DayNumber
  /** The info date: the last day with a price. */
  lastDay: DayNumber
  /** €/MWh by day from `firstDay`; NaN where missing. */
  prices: Float64Array
  /** The same on the models' scale. */
  scaled: Float64Array
  /** `scaled` with gaps filled by the last value before them: for looking back, never for scoring. */
  filled: Float64Array
}

/** Returns undefined if nothing is known up to that day. */
export function knownPrices(history: History, asset: ForecastAsset, infoDay: DayNumber): KnownPrices | undefined {
  const series = seriesThrough(history.series[asset], infoDay)
  const last = lastDay(series)
  if (last === undefined) return undefined
  const { firstDay } = series
  const prices = series.prices.map((price, index) => (hasMarket(asset, firstDay + index) ? price : Number.NaN))
  const scaled = prices.map((price) => toScale(asset, price))
  return { asset, firstDay, lastDay: last, prices, scaled, filled: fillForward(scaled) }
}

/** NaN cells take the value before them; those before the first value stay NaN. */
export function fillForward(values: Float64Array): Float64Array {
  const filled = Float64Array.from(values)
  for (let index = 1; index < filled.length; index++) {
    if (Number.isNaN(filled[index])) filled[index] = filled[index - 1] as number
  }
  return filled
}

/** How many days have a price. */
export function countKnown({ prices }: Pick<KnownPrices, 'prices'>): number {
  return prices.reduce((count, price) => count + (Number.isNaN(price) ? 0 : 1), 0)
}
