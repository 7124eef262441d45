/** How fresh each series is. */
import type { MarketDay } from '../market/market-day.ts'
import { PUBLISHERS } from '../publishers/index.ts'
import { type DayCompleteness, listCompleteness } from './completeness.ts'
import type { Sql } from './database.ts'
import { listSourceFetching, type SourceFetching } from './source-fetching.ts'
import { query } from './sql-files.ts'

export interface SeriesFreshness {
  /** `zone:nord`, `fundamental:load/IT`, or the code of an asset. */
  series: string
  sourceId: string
  /** Latest market day, YYYY-MM-DD. */
  marketDay: string
  /** Whether every interval of that day is stored. */
  complete: boolean
  observedAt: Temporal.Instant
  fetchedAt: Temporal.Instant
}

export interface SourceStatusStore {
  /** How much of each market day is stored, from the last day to the first. */
  completeness(from: MarketDay, to: MarketDay): Promise<DayCompleteness[]>
  list(): Promise<SeriesFreshness[]>
  /** Returns market days that were not complete in time and still are not, newest first. */
  lateDays(): Promise<{ source: string; day: string }[]>
  /** Every publisher, whether it is fetched from, and the outcome. */
  listFetching(): Promise<SourceFetching[]>
}

const LIST = query<SeriesFreshness>('sources_list_status')
/** Fundamentals that make a publisher's days complete. */
const FUNDAMENTALS = PUBLISHERS.flatMap(({ fundamentals }) =>
  fundamentals.map(({ series, area }) => `${series}/${area}`),
)

export function sourceStatusStore(sql: Sql): SourceStatusStore {
  return {
    listFetching: () => listSourceFetching(sql),
    completeness: (from, to) => listCompleteness(sql, from, to),

    async lateDays() {
      return sql<{ source: string; day: string }[]>`
        select source, market_day as day from source_events
        where kind = 'late' and closed_at is null and market_day is not null order by market_day desc`
    },

    async list() {
      return LIST(sql, FUNDAMENTALS)
    },
  }
}
