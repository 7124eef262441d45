/** What the bulk exports read of fundamentals: one of an area, half a year at a time. */
import type { FundamentalArea, FundamentalSeries } from '../market/fundamentals.ts'
import { spansBetween } from './bulk-intervals.ts'
import { isWantedPart, type Reader, sourceList, type Wanted } from './bulk-rows.ts'
import { query, queryAsOf } from './sql-files.ts'

const LIST_FUNDAMENTALS = queryAsOf<FundamentalRow>('bulk_fundamentals_list')
const FIND_BOUNDS = query<BoundsRow>('bulk_fundamentals_find_bounds')

/** Values of one fundamental, column by column; instants in milliseconds since 1970. */
export interface FundamentalColumns {
  series: FundamentalSeries
  area: FundamentalArea
  unit: string
  count: number
  startsAtMs: number[]
  resolutionMinutes: number[]
  values: number[]
  sourceIds: string[]
  knownAtMs: number[]
}

interface BoundsRow {
  series: FundamentalSeries
  area: FundamentalArea
  first: Temporal.Instant
  last: Temporal.Instant
}

interface FundamentalRow {
  row_count: number
  starts_at_ms: number[] | null
  resolution_minutes: number[]
  values: number[]
  unit: string
  sources: string
  known_at_ms: number[]
}

/** Stored values, by series and area in alphabetical order, in order of time. */
export async function* bulkFundamentals(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<FundamentalColumns> {
  const bounds = await FIND_BOUNDS(reader)
  for (const { series, area, first, last } of bounds.filter(({ series }) => isWantedPart(wanted, series))) {
    for (const { from, to } of spansBetween(first, last, wanted)) {
      const span = [series, area, from.toString(), to.toString()]
      const [row] = await LIST_FUNDAMENTALS(reader, wanted.asOf, ...span, [...sourceIds])
      if (row === undefined || row.starts_at_ms === null) continue
      yield {
        ...{ series, area, unit: row.unit, count: row.row_count, startsAtMs: row.starts_at_ms },
        ...{ resolutionMinutes: row.resolution_minutes, values: row.values },
        ...{ sourceIds: sourceList(row.sources, row.row_count), knownAtMs: row.known_at_ms },
      }
    }
  }
}
