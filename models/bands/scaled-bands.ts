/**
 * Bands of a market that changes regime: errors over how much the week's level had moved when each forecast was made, so that a calm and
 * a wild year say the same, and twenty years of them count. The last year counts for as much again, up to a month and a half ahead. Farther
 * too few errors do not overlap to tell a rise from a fall: the band is as wide above the median as below it, on the models' scale.
 */
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import { sortedQuantile } from '../numeric/quantile.ts'
import { RunningMeans } from '../numeric/running.ts'
import { HIGH, LOW } from './eighty-percent.ts'
import { type BandOffsets, bandsAtKnots, RESIDUALS_MIN } from './residual-bands.ts'
import { residualsOf } from './residuals.ts'

const WEEK = 7
/** Days of moves that the scale is a mean of. */
const MOVES_DAYS = 180
const MOVES_MIN = 28
/** On the models' scale: prices that stand still have no scale. */
const SCALE_MIN = 1e-3
/** All that there is, so that every kind of year is among them. */
export const ALL_DAYS = 7500
const RECENT_DAYS = 365
const NEAR_UP_TO_DAYS = 45

/** Of the knots up to the reach. Chosen on 2015 to 2023, each knot by its pinball loss over the year's mean price. */
export function scaledBands(known: KnownPrices, path: MedianPath, reachDays: number): BandOffsets | undefined {
  const scaleAt = levelMoves(known)
  return bandsAtKnots(reachDays, (knot) => {
    const power = knot / (knot + WEEK)
    const { residuals, targets } = residualsOf(known, path, knot, ALL_DAYS)
    const ratios = residuals.map((residual, at) => residual / scaleAt((targets[at] as number) - knot) ** power)
    const now = scaleAt(known.lastDay) ** power
    const recent = ratios.subarray(0, countAfter(targets, known.lastDay - RECENT_DAYS))
    const isNear = knot <= NEAR_UP_TO_DAYS
    const pools = (isNear ? [recent, ratios] : [ratios])
      .map((pool) => pool.filter((ratio) => !Number.isNaN(ratio)))
      .filter(({ length }) => length >= RESIDUALS_MIN)
      .map((pool) => (isNear ? pool : mirrored(pool)).sort())
    if (pools.length === 0) return undefined
    const meanOf = (probability: number) =>
      pools.reduce((sum, pool) => sum + sortedQuantile(pool, probability), 0) / pools.length
    return [now * meanOf(LOW), now * meanOf(HIGH)]
  })
}

/** By how much the level of a week had moved within a week, on average, up to a day; NaN before there is any such move. */
function levelMoves({ filled, firstDay }: KnownPrices): (day: DayNumber) => number {
  const weeks = new RunningMeans(filled)
  const moves = new RunningMeans(
    filled.map((_, at) =>
      at < 2 * WEEK - 1 ? Number.NaN : Math.abs(weeks.ending(at, WEEK) - weeks.ending(at - WEEK, WEEK)),
    ),
  )
  return (day) => {
    const at = day - firstDay
    if (at < 2 * WEEK - 1 + MOVES_MIN) return Number.NaN
    return Math.max(SCALE_MIN, moves.ending(at, MOVES_DAYS))
  }
}

/** Each with its opposite. */
function mirrored(values: Float64Array): Float64Array {
  return Float64Array.from([...values, ...values.map((value) => -value)])
}

/** Targets come latest first. */
function countAfter(targets: Int32Array, day: DayNumber): number {
  const beyond = targets.findIndex((target) => target <= day)
  return beyond === -1 ? targets.length : beyond
}
