/** Recent forecast accuracy of each asset, for monitoring. */

import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import { FORECAST_ASSETS } from '../market/forecast-scope.ts'
import { type MarketDay, marketDayOf } from '../market/market-day.ts'
import { STORED_ZONES, type ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import type { ForecastErrors, HourlyErrors, HourlyForecastStore } from './forecasts.ts'
import { query } from './sql-files.ts'

export interface RecentForecasts {
  chain: ForecastChain
  asset: AssetCode
  /** When it was last forecast. */
  issuedAt: Temporal.Instant
  /** Of the last 30 scored days at the shortest horizon, issued forecasts only; undefined as long as none is scored. */
  errors: Pick<ForecastErrors, 'n' | 'mae' | 'bias' | 'coverage80' | 'pinball' | 'rmae'> | undefined
}

const SUMMARISE = query<Row>('forecasts_summarise_recent')
const DAYS = 30
/** Long enough for 30 trading days and some missing ones. */
const LOOK_BACK_DAYS = 120
/** Forecasts begin a day or two ahead; TTF's after a long weekend. */
const LOOK_AHEAD_DAYS = 7

export interface RecentHours {
  chain: ForecastChain
  zone: ZoneCode
  issuedAt: Temporal.Instant
  /** Of the last 30 scored days at the shortest horizon; undefined as long as none is scored. */
  errors: HourlyErrors | undefined
}

/** Of every zone whose hours are forecast. */
export async function recentHours(store: HourlyForecastStore, now: Temporal.Instant): Promise<RecentHours[]> {
  const today: MarketDay = marketDayOf(now)
  const recent: RecentHours[] = []
  for (const chain of FORECAST_CHAINS) {
    for (const zone of STORED_ZONES) {
      const issue = await store.latestIssue(chain, zone)
      if (issue === undefined) continue
      const span = { from: today.subtract({ days: LOOK_BACK_DAYS }), to: today.add({ days: LOOK_AHEAD_DAYS }) }
      const errors = await store.errors(
        chain,
        zone,
        { ...span, horizonDays: undefined, issue: undefined },
        { basis: 'issued', days: DAYS },
      )
      recent.push({ chain, zone, issuedAt: issue.issuedAt, errors })
    }
  }
  return recent
}

/** Of every asset that has been forecast in the last 120 days. */
export async function recentForecasts(sql: Sql, now: Temporal.Instant): Promise<RecentForecasts[]> {
  const today: MarketDay = marketDayOf(now)
  const [from, to] = [today.subtract({ days: LOOK_BACK_DAYS }), today.add({ days: LOOK_AHEAD_DAYS })]
  const rows = await SUMMARISE(sql, [...FORECAST_CHAINS], [...FORECAST_ASSETS], from.toString(), to.toString(), DAYS)
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
