/** The continuous aggregates over price_intervals, and those over fundamentals, each built on the one before it. */
import { incrementDataVersion } from './data-version.ts'
import type { Sql } from './database.ts'
import { type Connection, withSessionLock } from './session-lock.ts'
import { queryText } from './sql-files.ts'

const FINE_TO_COARSE = [
  'zone_prices_hourly',
  'zone_prices_daily',
  'zone_prices_day_parts',
  'zone_prices_yearly',
] as const
const FUNDAMENTALS_FINE_TO_COARSE = ['fundamentals_hourly', 'fundamentals_daily'] as const

/** End of every refresh. Without one TimescaleDB reads all intervals to find the latest. */
const REFRESH_END = '2200-01-01'

/**
 * The planner's statistics lack new rows, so it would hash millions of groups per chunk, then again across chunks, in no order. Sorted rows
 * are written in four fifths of the time, and a month of a zone occupies nineteen pages. With zones stored one after another, it would also
 * search the whole primary key, which grows with the zones, for a day unless pages cost more than by default.
 */
const SET_PLANNER_OPTIONS = `
  set enable_hashagg = off;
  set timescaledb.enable_chunkwise_aggregation = off;
  set random_page_cost = 16`
const RESET_PLANNER_OPTIONS = `
  reset enable_hashagg;
  reset timescaledb.enable_chunkwise_aggregation;
  reset random_page_cost`

/**
 * Refreshes what has changed since the last run, then invalidates cached answers and makes the changes readable. Runs outside a
 * transaction, as TimescaleDB requires, and one at a time, since two refreshes of one span conflict: the second waits. When `signal`
 * aborts, throws its reason between two statements; the next run does the rest.
 */
export async function refreshAggregates(sql: Sql, signal?: AbortSignal): Promise<void> {
  await withSessionLock(sql, 'refresh_aggregates', async (connection) => {
    const refresh: Refresh = async (aggregate, first, last) => {
      signal?.throwIfAborted()
      await connection.unsafe(`call refresh_continuous_aggregate('${aggregate}', ${first && `'${first}'`}, '${last}')`)
    }
    try {
      await connection.unsafe(SET_PLANNER_OPTIONS)
      const [log] = await connection<{ position: number }[]>`select position from change_log`
      const hasChunks = await isTimescale(connection)
      if (hasChunks) await refreshPriceChunks(connection, refresh)
      for (const aggregate of FINE_TO_COARSE) await refresh(aggregate, null, REFRESH_END)
      if (hasChunks) await refreshFundamentals(connection, refresh)
      await incrementDataVersion(connection)
      await connection`update change_log set refreshed = ${log?.position ?? 0} where refreshed < ${log?.position ?? 0}`
    } finally {
      await connection.unsafe(RESET_PLANNER_OPTIONS)
    }
  })
}

/** Whether hourly prices were stored since the last refresh began: an import is running, or the next refresh is about to start. */
export async function hasUnrefreshedPrices(sql: Sql): Promise<boolean> {
  const [log] = await sql<{ has: boolean }[]>`select readable_changes() < position as has from change_log`
  return log?.has === true
}

/** `first`: null for the beginning. */
type Refresh = (aggregate: string, first: string | null, last: string) => Promise<void>

/** False on a test server, where continuous aggregates are views. */
async function isTimescale(connection: Connection): Promise<boolean> {
  const [catalogue] = await connection<{ name: string | null }[]>`
    select to_regclass('timescaledb_information.chunks')::text as name`
  return catalogue?.name != null
}

/**
 * After an import of years, a move or another first build, refreshes one chunk (a year) at a time: fifteen years of hours in one statement
 * block the embedded engine until connections time out, and need memory for all of them. Buckets that cross a span's ends, and whole years,
 * are left to the refresh of everything that follows.
 */
async function refreshPriceChunks(connection: Connection, refresh: Refresh): Promise<void> {
  const spans = await connection.unsafe<Span[]>(queryText('price_chunks_list_unrefreshed'))
  if (spans.length < 2) return
  for (const { first, last } of spans) {
    for (const aggregate of FINE_TO_COARSE.filter((name) => name !== 'zone_prices_yearly'))
      await refresh(aggregate, first, last)
  }
}

interface Span {
  first: string
  last: string
}

/**
 * Refreshes year by year: many series at once would block the embedded engine, which serves one client at a time. Spans extend one day on
 * either side, since a day that crosses the end of a chunk is refreshed only if one span contains all of it.
 */
async function refreshFundamentals(connection: Connection, refresh: Refresh): Promise<void> {
  const chunks = await connection<Span[]>`
    select (range_start - interval '1 day')::text as first, (range_end + interval '1 day')::text as last
    from timescaledb_information.chunks
    where hypertable_schema = 'public' and hypertable_name = 'fundamentals'
    order by range_start`
  for (const { first, last } of chunks) {
    for (const aggregate of FUNDAMENTALS_FINE_TO_COARSE) await refresh(aggregate, first, last)
  }
}
