/** How much of each market day is stored, for the status of the service. */
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

export interface DayCompleteness {
  /** YYYY-MM-DD */
  day: string
  /** 1440, or 1380 and 1500 on change days. */
  expectedMinutes: number
  /** Minutes of the PUN for which a price is stored. */
  punMinutes: number
  /** Zones of the market on that day, including the PUN, and how many of them are complete. */
  zones: number
  zonesWhole: number
  /** Over all zones. */
  zoneMinutes: number
  /** Codes of the indices that have a daily price for that day. */
  assets: string[]
}

const LIST_DAYS = query<DayCompleteness>('completeness_list_days')

/** Newest day first. */
export async function listCompleteness(sql: Sql, from: MarketDay, to: MarketDay): Promise<DayCompleteness[]> {
  return LIST_DAYS(sql, from, to)
}
