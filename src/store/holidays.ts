/** National holidays; their rules are in the table `holidays`. The days on which exchanges close are `market/trading-days.ts`. */
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'

/** From the first to the last day, inclusive, as YYYY-MM-DD. */
export async function nationalHolidays(sql: Sql, from: MarketDay, to: MarketDay): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select market_day as day from national_holidays(${from.toString()}, ${to.toString()}) order by 1`
  return rows.map(({ day }) => day)
}
