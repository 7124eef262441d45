/**
 * The base with its corrections, each weighted by its past benefit. The weight is the candidate share with the lowest mean absolute error
 * over the last 365 completed origins, reduced by a fifth; it falls to zero between 30 and 60 days ahead.
 */
import { interpolateKnots, KNOTS } from '../bands/residual-bands.ts'
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import { type MedianPath, memoisePath } from '../median-path.ts'
import { fromScale } from '../scale.ts'
import type { CorrectionTrail } from './correction-trail.ts'
import { CORRECTED_KNOTS } from './corrections.ts'

const SHARES = [0, 0.15, 0.3, 0.5, 0.75, 1]
const EVIDENCE_DAYS = 365
const EVIDENCE_MIN = 90
const SHRINKAGE = 0.8
/** Penalty on large shares: a share of 1 counts with this fraction more error. */
const SHARE_COST = 0.01
const FULL_UNTIL_DAYS = 30
const NONE_FROM_DAYS = 60

/** Returns corrected medians; for origins missing from the trail, those of the base. */
export function correctedPath(known: KnownPrices, base: MedianPath, trail: CorrectionTrail): MedianPath {
  const scores = CORRECTED_KNOTS.map((knot, index) => shareErrors(known, base, trail, knot, index))
  return memoisePath((origin) => {
    const plain = base(origin)
    const offsets = offsetsAt(origin)
    return (target) => plain(target) + interpolateKnots(offsets, target - origin)
  })

  /** One offset per knot; one day ahead has that of two days, which the next-day model later replaces. */
  function offsetsAt(origin: DayNumber): Float64Array {
    const corrections = trail.get(origin)
    const offsets = new Float64Array(KNOTS.length)
    if (!corrections) return offsets
    CORRECTED_KNOTS.forEach((knot, index) => {
      const share = bestShare(scores[index] as ShareErrors, origin) * SHRINKAGE * taper(knot)
      offsets[index + 1] = share * (corrections[index] as number)
    })
    offsets[0] = offsets[1] as number
    return offsets
  }
}

function taper(horizonDays: number): number {
  const left = (NONE_FROM_DAYS - horizonDays) / (NONE_FROM_DAYS - FULL_UNTIL_DAYS)
  return Math.max(0, Math.min(1, left))
}

/** Running sums, by target day, of the absolute error of each share, and of the days counted. */
interface ShareErrors {
  firstDay: DayNumber
  sums: Float64Array[]
  counts: Int32Array
}

function shareErrors(
  known: KnownPrices,
  base: MedianPath,
  trail: CorrectionTrail,
  knot: number,
  index: number,
): ShareErrors {
  const firstDay = Math.min(known.lastDay, ...trail.keys())
  const days = known.lastDay - firstDay + 1
  const sums = SHARES.map(() => new Float64Array(days + 1))
  const counts = new Int32Array(days + 1)
  for (let at = 0; at < days; at++) {
    const target = firstDay + at
    const correction = trail.get(target - knot)?.[index]
    const price = known.prices[target - known.firstDay] ?? Number.NaN
    const median = correction === undefined ? Number.NaN : base(target - knot)(target)
    const counted = !Number.isNaN(price) && !Number.isNaN(median)
    counts[at + 1] = (counts[at] as number) + (counted ? 1 : 0)
    SHARES.forEach((share, place) => {
      const sum = sums[place] as Float64Array
      const predicted = counted ? fromScale(known.asset, median + share * (correction as number)) : 0
      sum[at + 1] = (sum[at] as number) + (counted ? Math.abs(price - predicted) : 0)
    })
  }
  return { firstDay, sums, counts }
}

/** Returns the best share, using only targets up to the origin. */
function bestShare({ firstDay, sums, counts }: ShareErrors, origin: DayNumber): number {
  const to = Math.max(0, Math.min(origin - firstDay + 1, counts.length - 1))
  const from = Math.max(0, to - EVIDENCE_DAYS)
  if ((counts[to] as number) - (counts[from] as number) < EVIDENCE_MIN) return 0
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  SHARES.forEach((share, place) => {
    const sum = sums[place] as Float64Array
    const error = ((sum[to] as number) - (sum[from] as number)) * (1 + SHARE_COST * share)
    if (error < least) {
      best = share
      least = error
    }
  })
  return best
}
