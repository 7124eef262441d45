import { meanOf, type Scored } from './scored.ts'

/** Mean of forecast less actual, €/MWh: positive where forecasts were too high. */
export function bias(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p50, actual }) => p50 - actual)
}
