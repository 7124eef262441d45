/** The decimals in which prices are shown. Spec: "Energy and gas prices". */
import { movePoint, round } from './rounding.ts'

const KWH_DECIMALS = 5
/** Decimals that sources publish. */
const NATIVE_DECIMALS = 6
/** Decimals beyond which a mean of a day's intervals is only rounding noise, which could tip it over a half. */
const NOISE_DECIMALS = 9

/** A price in the unit of its source: zones of one price show one price, in whatever order their hours were added up. */
export function toNative(price: number): number {
  return round(isNearHalf(price) ? round(price, NOISE_DECIMALS) : price, NATIVE_DECIMALS)
}

/** Only there can noise decide; rounding twice everywhere would cost a long series a tenth of its time. */
function isNearHalf(price: number): boolean {
  return Math.abs(((Math.abs(price) * 10 ** NATIVE_DECIMALS) % 1) - 0.5) < 0.01
}

/** €/MWh in, €/kWh with 5 decimals out: `toEurKwh(118.43)` is 0.11843. */
export function toEurKwh(eurMwh: number): number {
  return round(movePoint(toNative(eurMwh), -3), KWH_DECIMALS)
}

/** €/kWh of retail offers as it is shown: five decimals. */
export function showEurKwh(value: number): number {
  return round(value, KWH_DECIMALS)
}

/** Euros as they are shown: two decimals. */
export function showEuro(value: number): number {
  return round(value, 2)
}
