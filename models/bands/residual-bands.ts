/**
 * Bands from a rule's own past errors: at each knot, the 10 % and 90 % quantiles of completed residuals, averaged over windows of
 * several lengths, because a band calibrated on the last year alone covers half of what it should after a regime change.
 */

import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { sortedQuantile } from '../numeric/quantile.ts'
import { HIGH, LOW } from './eighty-percent.ts'
import { KNOTS } from './knots.ts'
import { residualsOf } from './residuals.ts'
import { volatilityRatio } from './volatility.ts'

/** Offsets from the median on the models' scale, one per knot: `below` ≤ 0 ≤ `above`. */
export interface BandOffsets {
  below: Float64Array
  above: Float64Array
}

export interface BandRule {
  /** Days of targets each quantile is taken over. */
  windowsDays: readonly number[]
  /** Whether quantiles are taken as they are, stretched by recent volatility, or both and averaged. */
  stretch: readonly ('none' | 'volatility')[]
}

/** Fewer completed residuals than this in a window say nothing; a window is then left out, and so is a shorter one. */
const RESIDUALS_MIN = 60

/** Knots without any window of residuals take the last knot that has one, widened with the root of the horizon. */
export function residualBands(known: KnownPrices, path: MedianPath, rule: BandRule): BandOffsets | undefined {
  const below = new Float64Array(KNOTS.length)
  const above = new Float64Array(KNOTS.length)
  for (const [index, knot] of KNOTS.entries()) {
    const quantiles = quantilesAt(known, path, rule, knot) ?? widened({ below, above }, index)
    if (!quantiles) return undefined
    below[index] = quantiles[0]
    above[index] = quantiles[1]
  }
  return widening({ below, above })
}

function quantilesAt(known: KnownPrices, path: MedianPath, rule: BandRule, knot: number): [number, number] | undefined {
  const longest = Math.max(...rule.windowsDays)
  const { residuals, targets } = residualsOf(known, path, knot, longest)
  let [low, high, count] = [0, 0, 0]
  for (const days of rule.windowsDays) {
    const beyond = targets.findIndex((target) => target <= known.lastDay - days)
    const inside = residuals.slice(0, beyond === -1 ? residuals.length : beyond).sort()
    if (inside.length < RESIDUALS_MIN) continue
    for (const kind of rule.stretch) {
      const factor = kind === 'none' ? 1 : volatilityRatio(known, days) ** Math.exp(-knot / 60)
      low += factor * sortedQuantile(inside, LOW)
      high += factor * sortedQuantile(inside, HIGH)
      count++
    }
  }
  return count === 0 ? undefined : [low / count, high / count]
}

function widened({ below, above }: BandOffsets, index: number): [number, number] | undefined {
  if (index === 0) return undefined
  const factor = Math.sqrt((KNOTS[index] as number) / (KNOTS[index - 1] as number))
  return [factor * (below[index - 1] as number), factor * (above[index - 1] as number)]
}

/** After a one-sided year both quantiles are on one side: the median stays inside. A longer horizon never narrows the band. */
export function widening({ below, above }: BandOffsets): BandOffsets {
  let [low, high] = [0, 0]
  return {
    below: below.map((offset) => {
      low = Math.min(low, offset)
      return low
    }),
    above: above.map((offset) => {
      high = Math.max(high, offset)
      return high
    }),
  }
}
