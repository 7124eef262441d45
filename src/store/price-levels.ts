/** Means of stored days, with which a day that is to be stored is compared. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

/** A zone's or an asset's day, and the mean of its prices. */
export interface DayLevel {
  day: MarketDay
  level: number
}

const LIST_NEAREST = query<{ day: string; level: number }>('price_levels_list_nearest')

/** The days next to `day` and within 60 days of it, nearest first, without sample data. */
export async function listNearestLevels(
  sql: Sql,
  { zone, asset, day }: { zone?: ZoneCode; asset?: AssetCode; day: MarketDay },
  count: number,
): Promise<DayLevel[]> {
  const rows = await LIST_NEAREST(sql, zone ?? null, asset ?? null, day.toString(), count)
  return rows.map((row) => ({ day: Temporal.PlainDate.from(row.day), level: row.level }))
}
