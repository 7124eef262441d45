/** Daily prices of the five indices as the endpoints read them. Prices are in the asset's native unit; days with gaps are left out. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { query, queryAsOf, type RowOf, withoutNulls } from './sql-files.ts'

export interface DailyObservation {
  asset: AssetCode
  /** YYYY-MM-DD */
  day: string
  price: number
  /** Publishers of the day's values; more than one if they contributed to the day together. */
  sourceIds: string[]
  observedAt: Temporal.Instant
  basis?: PriceBasis
}

/** Set for a PUN that a source states only as the mean of the day; absent if it is computed from intervals, and for other indices. */
type PriceBasis = 'daily_mean'

interface DailyPoint {
  date: string
  price: number
}

export interface DailyHistory {
  points: DailyPoint[]
  sourceIds: string[]
}

export interface DailySeries extends DailyHistory {
  points: (DailyPoint & { basis?: PriceBasis })[]
  /** Undefined if there are no points. */
  stats: { min: number; max: number; avg: number } | undefined
}

/** Values of a day that were replaced at one instant. Prices are the day's, before and after; undefined if it was incomplete. */
export interface Correction {
  /** YYYY-MM-DD */
  day: string
  correctedAt: Temporal.Instant
  /** Number of replaced values: 1 for a daily price, up to 100 for the PUN's quarter-hours. */
  replaced: number
  before: number | undefined
  after: number | undefined
}

export interface PriceStore {
  /** Returns the latest observation with notBefore <= day <= notAfter; undefined if there is none. */
  latest(asset: AssetCode, range: { notBefore: MarketDay; notAfter: MarketDay }): Promise<DailyObservation | undefined>
  /** Returns the first and last day with a price within the range; undefined if there is none. */
  span(
    asset: AssetCode,
    range: { notBefore: MarketDay; notAfter: MarketDay },
  ): Promise<{ from: string; to: string } | undefined>
  /** Returns daily prices from the first to the last day, inclusive, in chronological order; with `asOf`, as known at that instant. */
  series(asset: AssetCode, range: { from: MarketDay; to: MarketDay }, asOf?: Temporal.Instant): Promise<DailySeries>
  /** The same without statistics, read year by year, for spans of many years. */
  history(asset: AssetCode, range: { from: MarketDay; to: MarketDay }): Promise<DailyHistory>
  /** Returns the latest corrections of days from `notBefore` on, newest first. */
  corrections(asset: AssetCode, notBefore: MarketDay, most: number): Promise<Correction[]>
}

const FIND_LATEST = query<LatestRow>('daily_prices_find_latest')
const FIND_SPAN = query<{ first_day: string | null; last_day: string | null }>('daily_prices_find_span')
const LIST_SERIES = queryAsOf<SeriesRow>('daily_prices_list_series')
const LIST_YEARS = query<YearRow>('daily_prices_list_years')
const LIST_CORRECTIONS = query<RowOf<Correction>>('corrections_list_by_asset')

interface LatestRow {
  market_day: string
  price: number
  observed_at: Temporal.Instant
  source_first: string
  source_last: string
  basis: string | null
}

interface SeriesRow {
  days: string[] | null
  prices: number[] | null
  mean_days: string[] | null
  minimum: number
  maximum: number
  average: number
  sources: string[] | null
}

interface YearRow {
  days: string[]
  prices: number[]
  sources: string[]
}

export function priceStore(sql: Sql): PriceStore {
  return {
    async latest(asset, { notBefore, notAfter }) {
      const [row] = await FIND_LATEST(sql, asset, notBefore, notAfter)
      if (row === undefined) return undefined
      const sourceIds = [...new Set([row.source_first, row.source_last])]
      const { market_day: day, price, observed_at: observedAt, basis } = row
      return { asset, day, price, sourceIds, observedAt, ...(basis === 'daily_mean' && { basis }) }
    },

    async span(asset, { notBefore, notAfter }) {
      const [row] = await FIND_SPAN(sql, asset, notBefore, notAfter)
      return row?.first_day == null || row.last_day === null ? undefined : { from: row.first_day, to: row.last_day }
    },

    async series(asset, { from, to }, asOf) {
      const [row] = await LIST_SERIES(sql, asOf, asset, from, to)
      if (row?.days == null || row.prices === null) return { points: [], stats: undefined, sourceIds: [] }
      return {
        points: markMeans(pointsOf({ days: row.days, prices: row.prices }), row.mean_days),
        stats: { min: row.minimum, max: row.maximum, avg: row.average },
        sourceIds: sourceIdsOf([row]),
      }
    },

    async history(asset, { from, to }) {
      const years = await LIST_YEARS(sql, asset, from, to)
      return {
        points: years.flatMap(pointsOf),
        sourceIds: sourceIdsOf(years),
      }
    },

    async corrections(asset, notBefore, most) {
      const rows = await LIST_CORRECTIONS(sql, asset, notBefore, most)
      return rows.map((row) => withoutNulls<Correction>(row))
    },
  }
}

function pointsOf({ days, prices }: { days: string[]; prices: number[] }): DailyPoint[] {
  return days.map((date, i) => ({ date, price: prices[i] as number }))
}

function markMeans(points: DailyPoint[], meanDays: string[] | null): DailySeries['points'] {
  if (meanDays === null) return points
  const days = new Set(meanDays)
  return points.map((point) => (days.has(point.date) ? { ...point, basis: 'daily_mean' } : point))
}

/** Publishers of the values in rows, each once, in alphabetical order. */
export function sourceIdsOf(rows: readonly { sources: readonly string[] | null }[]): string[] {
  return [...new Set(rows.flatMap(({ sources }) => sources ?? []))].sort()
}
