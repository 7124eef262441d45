import { mae } from './mae.ts'
import type { Scored } from './scored.ts'

/** MAE relative to the naive forecast's on the same days: below 1 is better than naive. NaN where the naive one was never wrong. */
export function rmae(scored: readonly Scored[], naive: readonly Scored[]): number {
  const reference = mae(naive)
  return reference === 0 ? Number.NaN : mae(scored) / reference
}
