/** Recent forecast accuracy of each asset, for monitoring. */

import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import { FORECAST_ASSETS } from '../market/forecast-scope.ts'
import { type MarketDay, marketDayOf } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import type { ForecastErrors } from './forecasts.ts'
import { query } from './sql-files.ts'

export interface RecentForecasts {
  chain: ForecastChain
  asset: AssetCode
  /** When it was last forecast. */
  issuedAt: Temporal.Instant
  /** Of the last 30 scored days at the shortest horizon, issued forecasts only; undefined as long as none is scored. */
  errors: Pick<ForecastErrors, 'n' | 'mae' | 'bias' | 'coverage80' | 'pinball' | 'rmae'> | undefined
}

const SUMMARISE = query('forecasts_summarise_recent')
const DAYS = 30
/** Long enough for 30 trading days and some missing ones. */
const LOOK_BACK_DAYS = 120
/** Forecasts begin a day or two ahead; TTF's after a long weekend. */
const LOOK_AHEAD_DAYS = 7

/** Of every asset that has been forecast in the last 120 days. */
export async function recentForecasts(sql: Sql, now: Temporal.Instant): Promise<RecentForecasts[]> {
  const today: MarketDay = marketDayOf(now)
  const [from, to] = [today.subtract({ days: LOOK_BACK_DAYS }), today.add({ days: LOOK_AHEAD_DAYS })]
  const parameters = [[...FORECAST_CHAINS], [...FORECAST_ASSETS], from.toString(), to.toString(), DAYS]
  const rows = await sql.unsafe<Row[]>(SUMMARISE, parameters, { prepare: true })
  return rows.map(({ chain, asset, issued_at, n, mae, bias, coverage_80, pinball, rmae }) => ({
    chain,
    asset,
    issuedAt: issued_at,
    errors: n === 0 ? undefined : { n, mae, bias, coverage80: coverage_80, pinball, rmae: rmae ?? undefined },
  }))
}

interface Row {
  chain: ForecastChain
  asset: AssetCode
  issued_at: Temporal.Instant
  /** Where it is 0, the figures after it are null. */
  n: number
  mae: number
  bias: number
  coverage_80: number
  pinball: number
  rmae: number | null
}
