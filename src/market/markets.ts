/**
 * Markets after the day-ahead auction, and imbalance settlement: their names, areas and price series. To add a market, add an entry here
 * and a series in `fundamentals.ts`; endpoints, files, views and documents follow.
 */
import {
  type FundamentalArea,
  type FundamentalSeries,
  fundamentalOf,
  MACROZONES,
  MARKET_SERIES,
} from './fundamentals.ts'
import type { MarketZone } from './zones.ts'

export const IMBALANCE_MARKET = 'imbalance'

export const MARKETS = [
  'mi-a1',
  'mi-a2',
  'mi-a3',
  'xbid',
  'xbid-hour',
  IMBALANCE_MARKET,
  'mi1',
  'mi2',
  'mi3',
  'mi4',
  'mi5',
  'mi6',
  'mi7',
] as const
export type Market = (typeof MARKETS)[number]

export const MARKET_AREAS = [...fundamentalOf('mi-a1-price').areas, ...MACROZONES]

const NAMES: Partial<Record<Market, string>> = {
  xbid: 'Continuous intraday market (XBID), reference prices of quarter-hours',
  'xbid-hour': 'Continuous intraday market (XBID), reference prices of hour products',
  imbalance: 'Imbalance settlement, by macrozone',
}

export function marketName(market: Market): string {
  return NAMES[market] ?? `Intraday auction ${market.toUpperCase()}`
}

export function seriesOfMarket(market: Market): FundamentalSeries {
  return `${market}-price`
}

/** Every series of a market, including preliminary ones and parts of imbalance prices. */
export const MARKET_SERIES_NAMES = Object.keys(MARKET_SERIES) as readonly FundamentalSeries[]

export function isMarketSeries(series: string): boolean {
  return series in MARKET_SERIES
}

/** `imbalance` for `imbalance-incentive-preliminary`; undefined for a fundamental. */
export function marketOfSeries(series: FundamentalSeries): Market | undefined {
  const [, name] = /^(.+?)-(?:price|base-price|incentive|volume)(?:-preliminary)?$/.exec(series) ?? []
  return MARKETS.find((market) => market === name)
}

/** Zones; for imbalance, macrozones. */
export function areasOfMarket(market: Market): readonly FundamentalArea[] {
  return fundamentalOf(seriesOfMarket(market)).areas
}

/** The macrozone in which the imbalances of a zone are settled. */
export function macrozoneOf(zone: MarketZone): (typeof MACROZONES)[number] {
  return zone === 'nord' ? 'macro-nord' : 'macro-sud'
}
