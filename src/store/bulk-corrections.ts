/** What was replaced by a later publication or a better source, for the bulk exports. */
import { zoneBySpan } from './bulk-intervals.ts'
import { listed, type Reader, type Wanted } from './bulk-rows.ts'
import { query } from './sql-files.ts'

export interface BulkCorrection {
  /** Code of an index, or of a zone. */
  series: string
  /** YYYY-MM-DD */
  market_day: string
  /** Null for daily prices. */
  starts_at_ms: number | null
  resolution_minutes: number | null
  price: number
  /** Null where the interval has another length now, or its publisher's values may not be passed on. */
  price_now: number | null
  unit: string
  source: string
  source_now: string | null
  known_from_ms: number
  known_until_ms: number
}

const LIST_DAYS = query<BulkCorrection>('bulk_daily_corrections_list')
const LIST_INTERVALS = query<BulkCorrection>('bulk_interval_corrections_list')

/** Those of the indices, then of the zones, each in alphabetical order, in order of time. */
export async function* bulkCorrections(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<BulkCorrection[]> {
  const { from, to, parts } = wanted
  yield LIST_DAYS(reader, [...sourceIds], from, to, listed(parts))
  yield* zoneBySpan(reader, wanted, ({ zone, ...span }) =>
    LIST_INTERVALS(reader, zone, span.from.toString(), span.to.toString(), [...sourceIds]),
  )
}
