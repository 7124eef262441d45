/** Fundamentals: which series exist, their values now or as known at an instant, and every version of their days for forecasts and replays. */
import type { FundamentalArea, FundamentalSeries } from '../market/fundamentals.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { sourceIdsOf } from './prices.ts'
import { query, queryAsOf } from './sql-files.ts'

export const FUNDAMENTAL_GRANULARITIES = ['hour', 'day', 'quarter'] as const
export type FundamentalGranularity = (typeof FUNDAMENTAL_GRANULARITIES)[number]

export interface FundamentalExtent {
  series: FundamentalSeries
  area: FundamentalArea
  /** YYYY-MM-DD */
  firstDay: string
  lastDay: string
  /** Resolution of the last interval. */
  resolutionMinutes: number
  sourceIds: string[]
}

export interface FundamentalValue {
  area: FundamentalArea
  /** YYYY-MM-DD */
  day: string
  startsAt: Temporal.Instant
  value: number
  /** Instant at which the whole interval was known. */
  knownAt: Temporal.Instant
}

interface FundamentalSpan {
  series: FundamentalSeries
  areas: readonly FundamentalArea[]
  from: MarketDay
  to: MarketDay
}

export interface FundamentalStore {
  /** Each series and area with stored values. */
  list(): Promise<FundamentalExtent[]>
  /** Ordered by interval, then area; incomplete hours and days are omitted. `asOf`: values as known at that instant. */
  values(
    span: FundamentalSpan,
    granularity: FundamentalGranularity,
    asOf?: Temporal.Instant,
  ): Promise<{ values: FundamentalValue[]; sourceIds: string[] }>
}

const LIST = query<Omit<FundamentalExtent, 'sourceIds'> & Sources>('fundamentals_list_series')
const LIST_DAYS = queryAsOf<ValueRow>('fundamental_days_list')
/** No aggregate contains these: current values are those known at the end of time. */
const LIST_AS_OF = {
  hour: query<ValueRow>('fundamental_hours_list_as_of'),
  quarter: query<ValueRow>('fundamental_quarters_list_as_of'),
}
const VERSIONS = query<FundamentalVersion>('fundamental_versions_list')

interface Sources {
  sources: string[]
}

type ValueRow = FundamentalValue & Sources

export function fundamentalStore(sql: Sql): FundamentalStore {
  return {
    async list() {
      const rows = await LIST(sql)
      return rows.map(({ sources, ...extent }) => ({ ...extent, sourceIds: sourceIdsOf([{ sources }]) }))
    },

    async values({ series, areas, from, to }, granularity, asOf) {
      const parameters = [series, [...areas], from, to]
      const rows =
        granularity === 'day'
          ? await LIST_DAYS(sql, asOf, ...parameters)
          : await LIST_AS_OF[granularity](sql, ...parameters, asOf ?? 'infinity')
      return { values: rows.map(({ sources: _, ...value }) => value), sourceIds: sourceIdsOf(rows) }
    },
  }
}

/** A complete day of a fundamental as stated from an instant on. */
export interface FundamentalVersion {
  series: FundamentalSeries
  area: FundamentalArea
  /** YYYY-MM-DD */
  day: string
  /** 23, 24 or 25 hours, or their quarters. */
  values: number[]
  /** Milliseconds since 1970. */
  knownAtMs: number
}

interface FundamentalsSpan {
  series: readonly FundamentalSeries[]
  areas: readonly FundamentalArea[]
  from: MarketDay
  to: MarketDay
}

/** Ordered by series, area, day and instant. As of an instant, use the last version of each day that is not later. */
export async function fundamentalVersions(
  sql: Sql,
  { series, areas, from, to }: FundamentalsSpan,
): Promise<FundamentalVersion[]> {
  return VERSIONS(sql, [...series], [...areas], from, to)
}
