/** The continuous aggregates over price_intervals, and those over fundamentals, each built on the one before it. */
import { raiseDataVersion } from './data-version.ts'
import type { Sql } from './database.ts'
import { queryText } from './sql-files.ts'

const FINE_TO_COARSE = [
  'zone_prices_hourly',
  'zone_prices_daily',
  'zone_prices_day_parts',
  'zone_prices_yearly',
] as const
const FUNDAMENTALS_FINE_TO_COARSE = ['fundamentals_hourly', 'fundamentals_daily'] as const

/** End of every refresh. Without one TimescaleDB reads all intervals to find the latest. */
const NO_PRICE_IS_LATER = '2200-01-01'

/**
 * New rows are not in the planner's statistics, so it would hash millions of groups in turn, and once more for all chunks: rows in no
 * order. Sorted, a month of a zone lies on nineteen pages, and they are written in four fifths of the time. And where zones were stored one after
 * another it would look for a day in the whole primary key, which grows with the zones, unless its pages are dearer than by default.
 */
const FOR_REFRESHES = `
  set enable_hashagg = off;
  set timescaledb.enable_chunkwise_aggregation = off;
  set random_page_cost = 16`
const AS_BEFORE = `
  reset enable_hashagg;
  reset timescaledb.enable_chunkwise_aggregation;
  reset random_page_cost`

/**
 * Refreshes what has changed since the last run, then invalidates cached answers and lets the changes be read. Runs outside a transaction, as TimescaleDB demands,
 * and one at a time, since two refreshes of one span conflict: the second waits. A killed process loses its lock with its connection. Once `signal` aborts
 * it ends between two statements, with the signal's reason, and the next run does the rest.
 */
export async function refreshAggregates(sql: Sql, signal?: AbortSignal): Promise<void> {
  const connection = await sql.reserve()
  const refresh: Refresh = async (aggregate, first, last) => {
    signal?.throwIfAborted()
    await connection.unsafe(`call refresh_continuous_aggregate('${aggregate}', ${first && `'${first}'`}, '${last}')`)
  }
  try {
    await connection`select pg_advisory_lock(hashtext('refresh_aggregates'))`
    try {
      await connection.unsafe(FOR_REFRESHES)
      const [log] = await connection<{ position: number }[]>`select position from change_log`
      const hasChunks = await isTimescale(connection)
      if (hasChunks) await refreshPriceChunks(connection, refresh)
      for (const aggregate of FINE_TO_COARSE) await refresh(aggregate, null, NO_PRICE_IS_LATER)
      if (hasChunks) await refreshFundamentals(connection, refresh)
      await raiseDataVersion(connection)
      await connection`update change_log set refreshed = ${log?.position ?? 0} where refreshed < ${log?.position ?? 0}`
    } finally {
      await connection.unsafe(AS_BEFORE)
      await connection`select pg_advisory_unlock(hashtext('refresh_aggregates'))`
    }
  } finally {
    connection.release()
  }
}

/** Whether prices by the hour were stored since the last refresh began: an import runs, or the next refresh is about to. */
export async function hasUnrefreshedPrices(sql: Sql): Promise<boolean> {
  const [log] = await sql<{ has: boolean }[]>`select readable_changes() < position as has from change_log`
  return log?.has === true
}

type Connection = Awaited<ReturnType<Sql['reserve']>>
/** `first`: null for the beginning. */
type Refresh = (aggregate: string, first: string | null, last: string) => Promise<void>

/** False on a server of tests, where continuous aggregates are views. */
async function isTimescale(connection: Connection): Promise<boolean> {
  const [catalogue] = await connection<{ name: string | null }[]>`
    select to_regclass('timescaledb_information.chunks')::text as name`
  return catalogue?.name != null
}

/**
 * After an import of years, a move or another first build, one chunk (a year) at a time: fifteen years of hours in one statement hold up the
 * embedded engine for so long that connections time out, and take memory for all of them. What crosses the ends of the spans, and the years as a
 * whole, is left to the refresh of everything after this.
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
 * Year by year: a history of many series at once would hold up the embedded engine, which serves one client at a time. A day more on
 * either side, since a day that lies across the end of a chunk is refreshed only where a span holds all of it.
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
