/**
 * The scale on which the models work: nearly logarithmic at usual prices, nearly linear around zero, so that prices of 0 and −500 €/MWh
 * (the floor of the Italian market) need no special case. Differences on it are relative differences.
 */
import type { ForecastAsset } from './model.ts'

/** €/MWh below which the scale turns from logarithmic to linear: an order of magnitude below the lowest usual prices of the asset. */
const BEND_EUR_MWH: Record<ForecastAsset, number> = { PUN: 5, PSV: 0.5, TTF: 0.5 }

/** asinh(p / bend): 3.69 for PUN at 100 €/MWh, within a thousandth of ln(2 · 100 / 5). */
export function toScale(asset: ForecastAsset, price: number): number {
  return Math.asinh(price / BEND_EUR_MWH[asset])
}

/** The inverse of `toScale`, €/MWh. */
export function fromScale(asset: ForecastAsset, value: number): number {
  return BEND_EUR_MWH[asset] * Math.sinh(value)
}

/** Daily price from hourly ones, all on the models' scale; the mean is taken in €/MWh, as in the market. */
export function dayOfHours(hours: ArrayLike<number>): number {
  let sum = 0
  for (let hour = 0; hour < hours.length; hour++) sum += fromScale('PUN', hours[hour] as number)
  return toScale('PUN', sum / hours.length)
}
