/** The decimals in which prices are shown. Spec: "Energy and gas prices". */
import { movePoint, round } from './rounding.ts'

const KWH_DECIMALS = 5
/** Decimals that sources publish. */
const NATIVE_DECIMALS = 6
/** Decimals of a daily mean beyond these are rounding noise, which could tip a value over a half. */
const NOISE_DECIMALS = 9

/** Rounds a price in its native unit, such that zones with equal prices show the same value whatever the order of summation. */
export function roundNative(price: number): number {
  return round(isNearHalf(price) ? round(price, NOISE_DECIMALS) : price, NATIVE_DECIMALS)
}

/** Noise matters only near a half; rounding twice everywhere would take a tenth of the time of a long series. */
function isNearHalf(price: number): boolean {
  return Math.abs(((Math.abs(price) * 10 ** NATIVE_DECIMALS) % 1) - 0.5) < 0.01
}

/** €/MWh in, €/kWh with 5 decimals out: `toEurKwh(118.43)` is 0.11843. */
export function toEurKwh(eurMwh: number): number {
  return round(movePoint(roundNative(eurMwh), -3), KWH_DECIMALS)
}

/** €/kWh of retail offers as shown, with five decimals. */
export function roundEurKwh(value: number): number {
  return round(value, KWH_DECIMALS)
}

/** Euros as shown, with two decimals. */
export function roundEuro(value: number): number {
  return round(value, 2)
}
