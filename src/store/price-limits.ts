/** The prices the market allows, as reference data with validity (table price_limits). */
import type { AssetCode } from '../market/assets.ts'
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { run } from './run.ts'

interface PriceLimits {
  min: number
  max: number
  /** First day with limits for the asset: before it there was no such price. Absent if there are none. */
  since?: MarketDay
}

/** Limits by asset and day; zones have those of the PUN. */
export type PriceLimitsOn = (asset: AssetCode, day: MarketDay) => PriceLimits

/** Reads the table once. A day without stated limits is unlimited, but may be before the first day that has limits. */
export async function loadPriceLimits(sql: Sql): Promise<PriceLimitsOn> {
  const rows = await run(sql, (db) => db.selectFrom('price_limits').selectAll().orderBy('valid_from'))
  return (asset, day) => {
    const text = day.toString()
    const row = rows.find(
      (limit) =>
        limit.asset === asset && limit.valid_from <= text && (limit.valid_to === null || text <= limit.valid_to),
    )
    const since = parseMarketDay(rows.find((limit) => limit.asset === asset)?.valid_from ?? '')
    return row === undefined ? { min: -Infinity, max: Infinity, since } : { min: row.minimum, max: row.maximum, since }
  }
}
