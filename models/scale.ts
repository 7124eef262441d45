/**
 * The scale on which the models work: nearly the logarithm where prices are usual, nearly linear around zero, so that a price of 0
 * or −500 €/MWh (the floor of the Italian market) is a value like any other. Differences on it are relative differences.
 */
import type { ForecastAsset } from './model.ts'

/** €/MWh below which the scale turns from logarithmic to linear: an order below the lowest prices usual for the asset. */
const BEND_EUR_MWH: Record<ForecastAsset, number> = { PUN: 5, PSV: 0.5, TTF: 0.5 }

/** asinh(p / bend): for PUN at 100 €/MWh 3.69, like ln(2 · 100 / 5) to a thousandth. */
export function toScale(asset: ForecastAsset, price: number): number {
  return Math.asinh(price / BEND_EUR_MWH[asset])
}

/** The inverse of `toScale`, €/MWh. */
export function fromScale(asset: ForecastAsset, value: number): number {
  return BEND_EUR_MWH[asset] * Math.sinh(value)
}

/** The day whose price is the mean of those hours, all on the models' scale: means are taken in €/MWh, as the market takes them. */
export function dayOfHours(hours: ArrayLike<number>): number {
  let sum = 0
  for (let hour = 0; hour < hours.length; hour++) sum += fromScale('PUN', hours[hour] as number)
  return toScale('PUN', sum / hours.length)
}
