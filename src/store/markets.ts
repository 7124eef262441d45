/** Prices of the markets after the day-ahead auction, and their difference from its prices. */
import type { FundamentalArea } from '../market/fundamentals.ts'
import type { MarketDay } from '../market/market-day.ts'
import { type Market, seriesOfMarket } from '../market/markets.ts'
import type { MarketZone } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { sourceIdsOf } from './prices.ts'
import { runOne } from './run.ts'
import { query } from './sql-files.ts'

/** Prices of one interval. */
export interface MarketPrice {
  area: FundamentalArea
  /** YYYY-MM-DD */
  day: string
  startsAt: Temporal.Instant
  minutes: number
  /** €/MWh */
  price: number
  /** €/MWh; for imbalance settlement only. */
  basePrice: number | null
  incentive: number | null
  /** MWh, positive if the macrozone is long. */
  volume: number | null
  status: 'final' | 'preliminary'
  knownAt: Temporal.Instant
}

/** Differences from the day-ahead price of the zone in one clock hour of a month, €/MWh. */
export interface MarketSpread {
  /** First day, YYYY-MM-DD. */
  month: string
  /** 0 to 23 */
  clockHour: number
  hours: number
  mean: number
  p10: number
  p90: number
  /** 0 to 1 */
  shareAbove: number
}

/** 0: as published. */
export type MarketMinutes = 0 | 15 | 60

export interface MarketStore {
  /** Ordered by interval, then area. `asOf`: prices as known at that instant. Hours are means of complete hours. */
  prices(
    market: Market,
    areas: readonly FundamentalArea[],
    span: { from: MarketDay; to: MarketDay },
    minutes: MarketMinutes,
    asOf?: Temporal.Instant,
  ): Promise<{ prices: MarketPrice[]; sourceIds: string[] }>
  /** Returns the last day with a price, YYYY-MM-DD, even a preliminary one; undefined if there is none. */
  latestDay(market: Market, areas: readonly FundamentalArea[]): Promise<string | undefined>
  /** Ordered by month and clock hour, both months included. */
  spreads(market: Market, zone: MarketZone, span: { from: MarketDay; to: MarketDay }): Promise<MarketSpread[]>
}

const LIST_PRICES = query<MarketPrice & { sources: string[] }>('market_prices_list')
const LIST_SPREADS = query<MarketSpread>('market_spreads_list')

export function marketStore(sql: Sql): MarketStore {
  return {
    async prices(market, areas, { from, to }, minutes, asOf) {
      const instant = asOf ?? 'infinity'
      const rows = await LIST_PRICES(sql, market, [...areas], from, to, instant, minutes)
      return { prices: [...rows], sourceIds: sourceIdsOf(rows) }
    },
    async latestDay(market, areas) {
      const series = seriesOfMarket(market)
      const latest = await runOne(sql, (db) =>
        db
          .selectFrom('fundamentals_daily')
          .select('market_day')
          .where('series', 'in', [series, `${series}-preliminary`])
          .where('area', 'in', areas)
          .orderBy('starts_at', 'desc')
          .limit(1),
      )
      return latest?.market_day ?? undefined
    },
    async spreads(market, zone, { from, to }) {
      return [...(await LIST_SPREADS(sql, market, zone, from, to))]
    },
  }
}
