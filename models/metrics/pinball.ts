import { HIGH, LOW, MEDIAN } from '../bands/eighty-percent.ts'
import { meanOf, type Scored } from './scored.ts'

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
