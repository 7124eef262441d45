/** The prices the market allows, as reference data with validity (table price_limits). */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Database } from './database.ts'

interface PriceLimits {
  min: number
  max: number
}

/** Limits by asset and day; zones have those of the PUN. */
export type PriceLimitsOn = (asset: AssetCode, day: MarketDay) => PriceLimits

/** Reads the table once. A day for which no limits are stated is not limited. */
export async function loadPriceLimits({ kysely }: Pick<Database, 'kysely'>): Promise<PriceLimitsOn> {
  const db = await kysely()
  const rows = await db.selectFrom('price_limits').selectAll().orderBy('valid_from').execute()
  return (asset, day) => {
    const text = day.toString()
    const row = rows.find(
      (limit) =>
        limit.asset === asset && limit.valid_from <= text && (limit.valid_to === null || text <= limit.valid_to),
    )
    return row === undefined ? { min: -Infinity, max: Infinity } : { min: row.minimum, max: row.maximum }
  }
}
