/**
 * Bands of a market that changes regime: errors over how much the week's level had moved when each forecast was made, so that a calm and a wild year
 * say the same, and twenty years of them count, the last year for as much again. Up to a month and a half ahead the band widens at once where the
 * last errors were large, and narrows again as they shrink. On the models' scale it is as wide above the median as below it.
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
/** Days of moves that the scale is a mean of: of both near by, of the long one beyond. */
const MOVES_DAYS = 180
const LAST_MOVES_DAYS = 28
const MOVES_MIN = 28
/** On the models' scale: prices that stand still have no scale. */
const SCALE_MIN = 1e-3
/** All that there is, so that every kind of year is among them. */
export const ALL_DAYS = 7500
const RECENT_DAYS = 365
const NEAR_UP_TO_DAYS = 45
/** The last targets whose errors tell whether prices have jumped. */
const EVIDENCE_DAYS = 14
const WIDENING_MAX = 2

/** Bands at the knots up to the reach. Chosen on 2015 to 2023, each knot by its pinball loss over the year's mean price. */
export function scaledBands(known: KnownPrices, path: MedianPath, reachDays: number): BandOffsets | undefined {
  const moves = levelMoves(known)
  return bandsAtKnots(reachDays, (knot) => {
    const isNear = knot <= NEAR_UP_TO_DAYS
    const power = knot / (knot + WEEK)
    const scaleAt = (day: DayNumber) =>
      (isNear ? (moves(day, MOVES_DAYS) + moves(day, LAST_MOVES_DAYS)) / 2 : moves(day, MOVES_DAYS)) ** power
    const { residuals, targets } = residualsOf(known, path, knot, ALL_DAYS)
    const ratios = residuals.map((residual, at) => Math.abs(residual) / scaleAt((targets[at] as number) - knot))
    const recent = ratios.subarray(0, countAfter(targets, known.lastDay - RECENT_DAYS))
    const pools = [recent, ratios]
      .map((pool) => pool.filter((ratio) => !Number.isNaN(ratio)))
      .filter(({ length }) => length >= RESIDUALS_MIN)
    const [all] = pools.slice(-1)
    if (all === undefined) return undefined
    const widening = isNear ? wideningBy(all) : 1
    const quantile =
      pools.reduce((sum, pool) => sum + sortedQuantile(pool.slice().sort(), HIGH - LOW), 0) / pools.length
    const width = scaleAt(known.lastDay) * widening * quantile
    return [-width, width]
  })
}

/** Factor from ratios, latest first: the root of the last ones' mean over the mean of all, at least 1. */
function wideningBy(ratios: Float64Array): number {
  const usual = meanOf(ratios)
  const now = usual === 0 ? 1 : Math.sqrt(meanOf(ratios.subarray(0, EVIDENCE_DAYS)) / usual)
  return Math.max(1, Math.min(WIDENING_MAX, now))
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** By how much the level of a week had moved within a week, on average of so many days up to one; NaN before there is any such move. */
function levelMoves({ filled, firstDay }: KnownPrices): (day: DayNumber, days: number) => number {
  const weeks = new RunningMeans(filled)
  const moves = new RunningMeans(
    filled.map((_, at) =>
      at < 2 * WEEK - 1 ? Number.NaN : Math.abs(weeks.ending(at, WEEK) - weeks.ending(at - WEEK, WEEK)),
    ),
  )
  return (day, days) => {
    const at = day - firstDay
    if (at < 2 * WEEK - 1 + MOVES_MIN) return Number.NaN
    return Math.max(SCALE_MIN, moves.ending(at, days))
  }
}

/** Targets come latest first. */
function countAfter(targets: Int32Array, day: DayNumber): number {
  const beyond = targets.findIndex((target) => target <= day)
  return beyond === -1 ? targets.length : beyond
}
