import { meanOf, type Scored } from './scored.ts'

/** Mean absolute error of the median, €/MWh: forecasts 10 and 20 of actuals 12 and 20 give 1. */
export function mae(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p50, actual }) => Math.abs(p50 - actual))
}
