/** Which days of offers are stored. */

import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import type { OfferDataset } from '../publishers/arera-offers/offer.ts'
import type { Sql } from './database.ts'

/** The latest day for which all of a source's lists are stored; undefined if there is none. */
export async function lastWholeOfferDay(
  sql: Sql,
  source: string,
  lists: readonly OfferDataset[],
): Promise<MarketDay | undefined> {
  const [row] = await sql<{ day: string }[]>`
    select day from offer_days
    where source = ${source} and dataset = any (${[...lists]}::text[])
    group by day
    having count(*) = ${lists.length}
    order by day desc
    limit 1`
  return row && parseMarketDay(row.day)
}
