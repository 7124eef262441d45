/** The last known price, with the textbook band of a random walk: normal, growing with the square root of the horizon. */
import { type BandOffsets, KNOTS } from '../bands/residual-bands.ts'
import { residualsOf } from '../bands/residuals.ts'
import type { KnownPrices } from '../known-prices.ts'
import type { MedianPath, MedianRule } from '../median-path.ts'
import { statelessModel } from '../stateless-model.ts'

const WINDOW_DAYS = 365
/** The 90 % quantile of the standard normal. */
const NORMAL_90 = 1.2815515655446004

/** The last value up to the origin, whatever the target. */
export const lastValue: MedianRule =
  ({ filled, firstDay }) =>
  (origin) => {
    const value = filled[origin - firstDay] ?? Number.NaN
    return () => value
  }

export const lastDayBaseline = statelessModel({
  id: 'last-day',
  version: '1',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: true,
  description: 'The last known price, with the normal band of a random walk.',
  daysNeeded: 60,
  median: lastValue,
  bands: normalWalk,
})

function normalWalk(known: KnownPrices, path: MedianPath): BandOffsets | undefined {
  const { residuals } = residualsOf(known, path, 1, WINDOW_DAYS)
  if (residuals.length < 2) return undefined
  const deviation = Math.sqrt(residuals.reduce((sum, residual) => sum + residual ** 2, 0) / residuals.length)
  const above = Float64Array.from(KNOTS, (knot) => NORMAL_90 * deviation * Math.sqrt(knot))
  return { below: above.map((offset) => -offset), above }
}
