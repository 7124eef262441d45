import { meanOf, type Scored } from './scored.ts'

/** Share of actuals inside the band from p10 to p90, its ends included; the target is 0.8. */
export function coverage(scored: readonly Scored[]): number {
  return meanOf(scored, ({ p10, p90, actual }) => (p10 <= actual && actual <= p90 ? 1 : 0))
}
