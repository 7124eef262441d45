/** Forecasts each day as the same weekday of the last known week. */
import { residualBands } from '../bands/residual-bands.ts'
import type { MedianRule } from '../median-path.ts'
import { statelessModel } from '../stateless-model.ts'

const WEEK = 7

/** Price of the latest day up to the origin that is a whole number of weeks before the target. */
const sameWeekdayRule: MedianRule =
  ({ filled, firstDay }) =>
  (origin) =>
  (target) => {
    const weeks = Math.ceil((target - origin) / WEEK)
    return filled[target - weeks * WEEK - firstDay] ?? Number.NaN
  }

export const sameWeekday = statelessModel({
  id: 'same-weekday',
  version: '1',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: true,
  description:
    'The price of the same weekday in the last known week, with the quantiles of its own errors over a year.',
  daysNeeded: 120,
  median: sameWeekdayRule,
  bands: residualBands,
})
