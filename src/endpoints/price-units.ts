/** The decimals in which prices are shown. Spec: "Energy and gas prices". */
import { movePoint, round } from '../domain/rounding.ts'

const KWH_DECIMALS = 5
/** Only to shed the noise of binary arithmetic (a mean of 24 hours): sources publish fewer. */
const NATIVE_DECIMALS = 6

/** A price in the unit of its source. */
export function toNative(price: number): number {
  return round(price, NATIVE_DECIMALS)
}

/** €/MWh in, €/kWh with 5 decimals out: `toEurKwh(118.43)` is 0.11843. */
export function toEurKwh(eurMwh: number): number {
  return round(movePoint(toNative(eurMwh), -3), KWH_DECIMALS)
}
