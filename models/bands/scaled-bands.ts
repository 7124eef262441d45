/**
 * Bands for a market that changes regime. Each error is divided by how much the weekly level had moved before its forecast, so that calm and
 * volatile years are comparable; quantiles of twenty years of these ratios are averaged with those of the last year. Up to 45 days ahead the
 * band widens at once after large errors and narrows as they shrink. On the models' scale it is symmetric about the median.
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
/** Days of moves in the scale: up to `NEAR_UP_TO_DAYS` the mean of both windows, beyond that the longer one. */
const MOVES_DAYS = 180
const LAST_MOVES_DAYS = 28
const MOVES_MIN = 28
/** Lower bound, on the models' scale: constant prices have no moves to scale by. */
const SCALE_MIN = 1e-3
/** The whole history, so that it includes every kind of year. */
export const ALL_DAYS = 7500
const RECENT_DAYS = 365
const NEAR_UP_TO_DAYS = 45
/** Number of latest targets whose errors show whether prices have jumped. */
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
    const widening = isNear ? wideningFactor(all) : 1
    const quantile =
      pools.reduce((sum, pool) => sum + sortedQuantile(pool.slice().sort(), HIGH - LOW), 0) / pools.length
    const width = scaleAt(known.lastDay) * widening * quantile
    return [-width, width]
  })
}

/** Square root of the mean of the latest ratios over the mean of all, from 1 to `WIDENING_MAX`; `ratios` are latest first. */
function wideningFactor(ratios: Float64Array): number {
  const usual = meanOf(ratios)
  const now = usual === 0 ? 1 : Math.sqrt(meanOf(ratios.subarray(0, EVIDENCE_DAYS)) / usual)
  return Math.max(1, Math.min(WIDENING_MAX, now))
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Mean absolute week-on-week move of the weekly level over the `days` up to a day; NaN while too few moves are known. */
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

/** Counts the targets after a day; `targets` are latest first. */
function countAfter(targets: Int32Array, day: DayNumber): number {
  const beyond = targets.findIndex((target) => target <= day)
  return beyond === -1 ? targets.length : beyond
}
