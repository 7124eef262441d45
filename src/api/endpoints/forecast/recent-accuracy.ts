/** The errors of the last 30 scored days at the shortest horizon. Decisions: "Forecasts"; spec: `mape_30d`. */
import type { MarketDay } from '../../../market/market-day.ts'
import type { AccuracyBasis, ForecastErrors, ForecastStore } from '../../../store/forecasts.ts'
import type { CurrentIssue } from './current-issue.ts'

export const ACCURACY_DAYS = 30
/** Long enough for 30 trading days and some missing ones. */
const LOOK_BACK_DAYS = 120
const LOOK_AHEAD_DAYS = 3

/** Of issued forecasts once 30 of them are scored; until then of a replay, never of both. Undefined if there is neither. */
export async function recentAccuracy(
  forecasts: ForecastStore,
  { chain, asset }: Pick<CurrentIssue, 'chain' | 'asset'>,
  today: MarketDay,
): Promise<{ basis: AccuracyBasis; errors: ForecastErrors } | undefined> {
  const span = {
    from: today.subtract({ days: LOOK_BACK_DAYS }),
    to: today.add({ days: LOOK_AHEAD_DAYS }),
    horizonDays: undefined,
  }
  const of = (basis: AccuracyBasis) => forecasts.errors(chain, asset.code, span, { basis, days: ACCURACY_DAYS })
  const issued = await of('issued')
  if (issued !== undefined && issued.n >= ACCURACY_DAYS) return { basis: 'issued', errors: issued }
  const replayed = await of('replay')
  return replayed && { basis: 'replay', errors: replayed }
}
