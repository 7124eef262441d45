/**
 * Exponential smoothing with additive weekly seasonality (Holt-Winters without trend) on the models' scale. The two rates come from a
 * small grid: the pair with the lowest mean absolute error one day ahead over the last year.
 */

import { residualBands } from '../bands/residual-bands.ts'
import { weekday } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath, MedianRule } from '../median-path.ts'
import { statelessModel } from '../stateless-model.ts'

const LEVEL_RATES = [0.1, 0.2, 0.35, 0.5, 0.7, 1]
const SEASON_RATES = [0, 0.05, 0.1, 0.2]
const CHOICE_DAYS = 365
const WEEK = 7

interface Smoothed {
  /** By day: the level and the seven weekday terms after that day's price. */
  levels: Float64Array
  seasons: Float64Array
  /** Mean absolute error one day ahead over the choice window. */
  error: number
}

const smoothingRule: MedianRule = (known) => {
  const candidates = LEVEL_RATES.flatMap((level) => SEASON_RATES.map((season) => smooth(known, level, season)))
  const best = candidates.reduce((least, one) => (one.error < least.error ? one : least))
  return pathOf(known, best)
}

function pathOf({ firstDay }: KnownPrices, { levels, seasons }: Smoothed): MedianPath {
  return (origin) => {
    const at = origin - firstDay
    const level = levels[at] ?? Number.NaN
    return (target) => level + (seasons[at * WEEK + weekday(target)] ?? Number.NaN)
  }
}

function smooth({ scaled, firstDay }: KnownPrices, levelRate: number, seasonRate: number): Smoothed {
  const levels = new Float64Array(scaled.length)
  const seasons = new Float64Array(scaled.length * WEEK)
  const week = new Float64Array(WEEK)
  let level = scaled.find((value) => !Number.isNaN(value)) ?? Number.NaN
  let [errors, count] = [0, 0]
  scaled.forEach((value, index) => {
    const day = weekday(firstDay + index)
    const season = week[day] as number
    if (!Number.isNaN(value)) {
      const miss = value - level - season
      if (index >= scaled.length - CHOICE_DAYS) {
        errors += Math.abs(miss)
        count++
      }
      level += levelRate * miss
      week[day] = season + seasonRate * miss
    }
    levels[index] = level
    seasons.set(week, index * WEEK)
  })
  return { levels, seasons, error: count === 0 ? Number.POSITIVE_INFINITY : errors / count }
}

export const exponentialSmoothing = statelessModel({
  id: 'exponential-smoothing',
  version: '1',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: true,
  description: 'Exponential smoothing of level and week, with the quantiles of its own errors over a year.',
  daysNeeded: 120,
  median: smoothingRule,
  bands: residualBands,
})
