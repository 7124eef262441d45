import { meanOf, type Scored } from './scored.ts'

/** At or below this, €/MWh, a percentage is meaningless. */
const MAPE_ACTUAL_MIN = 1

interface Mape {
  /** A fraction: 0.071 is 7.1 %. NaN where every day was left out. */
  mape: number
  /** Days whose actual lies within 1 €/MWh of zero. */
  leftOut: number
}

/** Mean absolute percentage error, days with |actual| ≤ 1 €/MWh left out and counted. */
export function mape(scored: readonly Scored[]): Mape {
  const usable = scored.filter(({ actual }) => Math.abs(actual) > MAPE_ACTUAL_MIN)
  return {
    mape: meanOf(usable, ({ p50, actual }) => Math.abs(p50 - actual) / Math.abs(actual)),
    leftOut: scored.length - usable.length,
  }
}
