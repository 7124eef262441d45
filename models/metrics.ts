/** Scores of forecasts. */
import { HIGH, LOW, MEDIAN } from './bands/eighty-percent.ts'

/** One scored forecast: its quantiles and the actual price, €/MWh. */
export interface Scored {
  p10: number
  p50: number
  p90: number
  actual: number
}

/** Mean over the items; NaN, not 0, if there are none. */
export function meanOf<T>(items: readonly T[], value: (item: T) => number): number {
  let sum = 0
  for (const item of items) sum += value(item)
  return items.length === 0 ? Number.NaN : sum / items.length
}

/** Mean of forecast less actual, €/MWh: positive where forecasts were too high. */
export function bias(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p50, actual }) => p50 - actual)
}

/** Share of actuals inside the band from p10 to p90, its ends included; the target is 0.8. */
export function coverage(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p10, p90, actual }) => (p10 <= actual && actual <= p90 ? 1 : 0))
}

/** Mean absolute error of the median, €/MWh: forecasts 10 and 20 of actuals 12 and 20 give 1. */
export function mae(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p50, actual }) => Math.abs(p50 - actual))
}

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

/** Loss of one quantile forecast: an actual above it costs `quantile` per €/MWh, one below it 1 − `quantile`. */
export function pinballLoss(quantile: number, forecast: number, actual: number): number {
  const miss = actual - forecast
  return Math.max(quantile * miss, (quantile - 1) * miss)
}

/** Mean pinball loss of p10, p50 and p90, €/MWh; each of the three weighs a third. */
export function pinball(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p10, p50, p90, actual }) => {
    return (pinballLoss(LOW, p10, actual) + pinballLoss(MEDIAN, p50, actual) + pinballLoss(HIGH, p90, actual)) / 3
  })
}

/** MAE relative to the naive forecast's on the same days: below 1 is better than naive. NaN where the naive one was never wrong. */
export function rmae(scored: readonly Scored[], naive: readonly Scored[]): number {
  const reference = mae(naive)
  return reference === 0 ? Number.NaN : mae(scored) / reference
}
