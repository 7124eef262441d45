/** Basis of accuracy figures, the same for pages and responses: issued forecasts or a replay, never both in one figure. */

import { ACCURACY_LOOK_BACK_DAYS } from '../../../market/forecast-scope.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import type { AccuracyBasis, ForecastErrors, ForecastStore, RecordBasis } from '../../../store/forecasts.ts'
import type { CurrentIssue } from './current-issue.ts'

/** Scored days behind the errors shown, and how many are enough to use issued forecasts alone. Decisions: "Forecasts"; spec: `mape_30d`. */
export const ACCURACY_DAYS = 30
const LOOK_AHEAD_DAYS = 3

/** Uses issued forecasts once enough of their days are scored; until then, the basis with more scored days. */
export async function onBestBasis<Found>(
  find: (basis: AccuracyBasis) => Promise<Found>,
  daysOf: (found: Found) => number,
): Promise<{ basis: AccuracyBasis; found: Found }> {
  const issued = await find('issued')
  if (daysOf(issued) >= ACCURACY_DAYS) return { basis: 'issued', found: issued }
  const replayed = await find('replay')
  return daysOf(replayed) > daysOf(issued) ? { basis: 'replay', found: replayed } : { basis: 'issued', found: issued }
}

/** Finds on the requested basis; for `all`, on the best one. */
export async function onBasis<Found>(
  requested: RecordBasis,
  find: (basis: AccuracyBasis) => Promise<Found>,
  daysOf: (found: Found) => number,
): Promise<{ basis: AccuracyBasis; found: Found }> {
  if (requested === 'all') return onBestBasis(find, daysOf)
  const basis = requested === 'live' ? 'issued' : 'replay'
  return { basis, found: await find(basis) }
}

/** Errors of the last 30 scored days at the shortest horizon, on the best basis; undefined if none is scored. */
export async function recentAccuracy(
  forecasts: ForecastStore,
  { chain, asset }: Pick<CurrentIssue, 'chain' | 'asset'>,
  today: MarketDay,
): Promise<{ basis: AccuracyBasis; errors: ForecastErrors } | undefined> {
  const span = {
    from: today.subtract({ days: ACCURACY_LOOK_BACK_DAYS }),
    to: today.add({ days: LOOK_AHEAD_DAYS }),
    horizonDays: undefined,
  }
  const of = (basis: AccuracyBasis) => forecasts.errors(chain, asset.code, span, { basis, days: ACCURACY_DAYS })
  const { basis, found } = await onBestBasis(of, (errors) => errors?.n ?? 0)
  return found && { basis, errors: found }
}
