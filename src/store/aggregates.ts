/** The continuous aggregates over price_intervals, and those over fundamentals, each built on the one before it. */
import { raiseDataVersion } from './data-version.ts'
import type { Sql } from './database.ts'

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
 * What has just been stored is not in the planner's statistics, so it would hash millions of groups in turn, and once more for all chunks: rows in no
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
 * and one at a time, since two refreshes of one span conflict: the second waits. A killed process loses its lock with its connection.
 */
export async function refreshAggregates(sql: Sql): Promise<void> {
  const connection = await sql.reserve()
  try {
    await connection`select pg_advisory_lock(hashtext('refresh_aggregates'))`
    try {
      await connection.unsafe(FOR_REFRESHES)
      const [log] = await connection<{ position: number }[]>`select position from change_log`
      await refreshChangedYears(connection)
      for (const aggregate of FINE_TO_COARSE)
        await connection.unsafe(`call refresh_continuous_aggregate('${aggregate}', null, '${NO_PRICE_IS_LATER}')`)
      await refreshFundamentals(connection)
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

/**
 * Of an import of years, each year by itself: fifteen years of hours in one statement hold up the embedded engine for so long that connections
 * time out. What crosses the ends of the spans, and the years as a whole, is left to the refresh of everything after this.
 */
async function refreshChangedYears(connection: Awaited<ReturnType<Sql['reserve']>>): Promise<void> {
  const years = await connection<{ first: string; last: string }[]>`
    select distinct (date_trunc('year', market_day) - interval '1 day')::date as first,
           (date_trunc('year', market_day) + interval '1 year 1 day')::date as last
    from changes
    where position > (select refreshed from change_log) and dataset in ('pun', 'zones')
    order by first`
  if (years.length < 2) return
  for (const { first, last } of years) {
    for (const aggregate of FINE_TO_COARSE.filter((name) => name !== 'zone_prices_yearly'))
      await connection.unsafe(`call refresh_continuous_aggregate('${aggregate}', '${first}', '${last}')`)
  }
}

/**
 * Year by year: a history of many series at once would hold up the embedded engine, which serves one client at a time. A day more on
 * either side, since a day that lies across the end of a chunk is refreshed only where a span holds all of it.
 */
async function refreshFundamentals(connection: Awaited<ReturnType<Sql['reserve']>>): Promise<void> {
  const [catalogue] = await connection<{ name: string | null }[]>`
    select to_regclass('timescaledb_information.chunks')::text as name`
  if (catalogue?.name == null) return // a server of tests, without TimescaleDB
  const chunks = await connection<{ first: string; last: string }[]>`
    select (range_start - interval '1 day')::text as first, (range_end + interval '1 day')::text as last
    from timescaledb_information.chunks
    where hypertable_schema = 'public' and hypertable_name = 'fundamentals'
    order by range_start`
  for (const { first, last } of chunks) {
    for (const aggregate of FUNDAMENTALS_FINE_TO_COARSE)
      await connection.unsafe(`call refresh_continuous_aggregate('${aggregate}', '${first}', '${last}')`)
  }
}
