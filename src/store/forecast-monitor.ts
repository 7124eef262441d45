/** Recent forecast accuracy of each asset, or of the hours of each zone, for monitoring. */

import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import { ACCURACY_LOOK_BACK_DAYS } from '../market/forecast-scope.ts'
import { marketDayOf } from '../market/market-day.ts'
import type { ForecastReader, HourlyErrors, HourlyRecordSpan, IssueOf } from './forecasts.ts'

export interface RecentForecasts {
  chain: ForecastChain
  /** An asset or a zone. */
  code: string
  /** When it was last forecast. */
  issuedAt: Temporal.Instant
  /** Over the last 30 scored days at the shortest horizon, issued forecasts only; undefined until one is scored. */
  errors: HourlyErrors | undefined
}

const DAYS = 30
/** Forecasts begin one or two days ahead; TTF's may begin after a long weekend. */
const LOOK_AHEAD_DAYS = 7

type Reader<Code> = ForecastReader<{
  code: Code
  issue: IssueOf<unknown>
  record: unknown
  span: HourlyRecordSpan
  errors: HourlyErrors
  values: never
}>

/** Returns all subjects forecast in the last 120 days. */
export async function recentForecasts<Code extends string>(
  reader: Pick<Reader<Code>, 'latestIssue' | 'errors'>,
  codes: readonly Code[],
  now: Temporal.Instant,
): Promise<RecentForecasts[]> {
  const today = marketDayOf(now)
  const [from, to] = [today.subtract({ days: ACCURACY_LOOK_BACK_DAYS }), today.add({ days: LOOK_AHEAD_DAYS })]
  const span = { from, to, horizonDays: undefined, issue: undefined }
  const recent: RecentForecasts[] = []
  for (const chain of FORECAST_CHAINS) {
    for (const code of codes) {
      const issue = await reader.latestIssue(chain, code)
      if (issue === undefined || issue.infoDate < from.toString()) continue
      const errors = await reader.errors(chain, code, span, { basis: 'issued', days: DAYS })
      recent.push({ chain, code, issuedAt: issue.issuedAt, errors })
    }
  }
  return recent
}
