/**
 * How the service scales with its data: 1, 3 and 10 million intervals, or GROWTH_MILLIONS=1,3,10,30, each in a separate database. The
 * databases are queried in turn, so that other load on the machine affects all of them: a month of hours uncached over HTTP, and a market
 * day of eight zones ingested and aggregated; then the same with all but the last 90 days compressed. Fifteen years of quarter-hours, with
 * more and more zones. GROWTH_DATABASE_URLS names server databases that already have them, smallest first, to measure at a quiet time.
 */
import os from 'node:os'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Sql } from '../../src/store/database.ts'
import { analyze } from '../../src/store/maintenance.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { atMost, type BenchRow, median, percentile, time, timeOnce } from './bench.ts'
import { type ScratchDatabase, type ServedDatabase, scratchDatabase, serve } from './scratch.ts'

const MILLIONS = (process.env.GROWTH_MILLIONS ?? '1,3,10').split(',').map(Number)
const FILLED_URLS = (process.env.GROWTH_DATABASE_URLS ?? '').split(',').filter(Boolean)
const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const FIRST_YEAR = 2011
const LAST_YEAR = 2025
/** Quarter-hours in the fifteen years. */
const INTERVALS_PER_ZONE = 5479 * 96
const ROUNDS = 5
/** Excluded from the result: code and plans are cold. */
const WARM_UP_ROUNDS = 5
const REQUESTS_PER_ROUND = 12
const MB = 1024 * 1024

interface Measured {
  /** Milliseconds of each request. */
  requests: number[]
  days: number[]
  tableMb: number
  aggregatesMb: number
}

interface Size {
  intervals: number
  refreshAllMs: number
  sql: Sql
  service: ServedDatabase
  plain: Measured
  compressed: Measured
}

export async function growth(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const sizes: Size[] = []
  if (FILLED_URLS.length > 0) for (const url of FILLED_URLS) sizes.push(await openFilled(url, stack))
  else for (const millions of MILLIONS) sizes.push(await build(millions * 1e6, stack))
  await measure(sizes, 'plain')
  for (const { sql } of sizes) await compress(sql)
  await measure(sizes, 'compressed')
  console.table(sizes.flatMap((size) => [toTableRow(size, 'plain'), toTableRow(size, 'compressed')]))
  return rowsOf(sizes)
}

async function build(intervals: number, stack: AsyncDisposableStack): Promise<Size> {
  const scratch = stack.use(await scratchDatabase())
  const { sql } = scratch.database
  await addZones(sql, intervals)
  const refreshAllMs = await timeOnce(() => refreshAggregates(sql))
  await analyze(sql)
  console.error(`  ${intervals / 1e6} million intervals, aggregated in ${(refreshAllMs / 1000).toFixed(0)} s`)
  return serveSize(scratch, refreshAllMs, stack)
}

async function openFilled(url: string, stack: AsyncDisposableStack): Promise<Size> {
  const database = stack.use(connectDatabase({ url, poolSize: 4 }))
  // Removes the days that an earlier run ingested; otherwise they would not be new.
  await database.sql`delete from price_intervals where starts_at >= market_day_start(make_date(${LAST_YEAR + 1}, 1, 1))`
  await refreshAggregates(database.sql)
  await analyze(database.sql)
  return serveSize({ database, url, folder: os.tmpdir() }, Number.NaN, stack)
}

async function serveSize(
  scratch: Omit<ScratchDatabase, typeof Symbol.asyncDispose>,
  refreshAllMs: number,
  stack: AsyncDisposableStack,
): Promise<Size> {
  const { sql } = scratch.database
  const service = stack.use(await serve(scratch, NOW))
  const none = (): Measured => ({ requests: [], days: [], tableMb: Number.NaN, aggregatesMb: Number.NaN })
  return {
    intervals: await countIntervals(sql),
    refreshAllMs,
    sql,
    service,
    plain: none(),
    compressed: none(),
  }
}

/** Adds whole zones until there are at least this many intervals, a year of all zones at a time. */
export async function addZones(sql: Sql, intervals: number): Promise<void> {
  const count = Math.ceil(intervals / INTERVALS_PER_ZONE)
  const zones = Array.from({ length: count }, (_, n) => STORED_ZONES[n] ?? `zone${n}`)
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) await addYear(sql, zones, year)
  await sql`analyze price_intervals`
}

async function countIntervals(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select approximate_row_count('price_intervals') as count`
  return row?.count ?? 0
}

/** Prices with two decimals, a daily cycle and pseudo-random noise. */
async function addYear(sql: Sql, zones: readonly string[], year: number): Promise<void> {
  await sql`
    with intervals as materialized (
      select starts_at, n, market_day_of(starts_at) as market_day,
        1 + extract(epoch from starts_at - market_day_start(market_day_of(starts_at)))::integer / 900 as ordinal,
        80 + 30 * sin(extract(hour from starts_at) / 4) as price
      from generate_series(
        market_day_start(make_date(${year}, 1, 1)), market_day_start(make_date(${year + 1}, 1, 1)) - interval '15 minutes',
        interval '15 minutes'
      ) with ordinality as g (starts_at, n)
    )
    insert into price_intervals
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
    select zone, starts_at, 15, market_day, ordinal, round((price + hashint4((n + seed - 1)::integer) % 2000 / 100.0)::numeric, 2),
      'gme-mgp', starts_at, starts_at, 1
    from unnest(${zones}::text[]) with ordinality as z (zone, seed)
    cross join intervals`
}

/** Measures all sizes in turn, in several rounds. */
async function measure(sizes: readonly Size[], state: 'plain' | 'compressed'): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const size of sizes) {
      const requests = await timeMonthRequests(size.service, round)
      const dayMs = await timeDayIngest(size.sql, state === 'plain' ? round : WARM_UP_ROUNDS + ROUNDS + round)
      if (round < WARM_UP_ROUNDS) continue
      size[state].requests.push(...requests)
      size[state].days.push(dayMs)
    }
  }
  for (const size of sizes) Object.assign(size[state], await spaceOf(size.sql))
}

async function timeDayIngest(sql: Sql, n: number): Promise<number> {
  const day = Temporal.PlainDate.from({ year: LAST_YEAR + 1, month: 1, day: 1 + n }).toString()
  const days = STORED_ZONES.map((zone) => zoneDay(zone, day, 15, (k) => 100 + k / 4))
  const [ms = Number.NaN] = await time(1, async () => {
    await storePrices(sql, days, { at: NOW })
    await refreshAggregates(sql)
  })
  return ms
}

async function spaceOf(sql: Sql): Promise<Pick<Measured, 'tableMb' | 'aggregatesMb'>> {
  const [space] = await sql<{ table: number; aggregates: number }[]>`
    select hypertable_size('price_intervals') as table,
      (select sum(hypertable_size(format('%I.%I', materialization_hypertable_schema, materialization_hypertable_name)::regclass))
       from timescaledb_information.continuous_aggregates where view_name like 'zone%')::bigint as aggregates`
  return { tableMb: (space?.table ?? Number.NaN) / MB, aggregatesMb: (space?.aggregates ?? Number.NaN) / MB }
}

/** Duration in milliseconds of requests for a month of PUN hours, in different years and months. */
function timeMonthRequests(service: ServedDatabase, round: number): Promise<number[]> {
  let requestIndex = round * REQUESTS_PER_ROUND
  return time(REQUESTS_PER_ROUND, () => {
    const from = Temporal.PlainDate.from({
      year: FIRST_YEAR + (requestIndex % 15),
      month: 1 + (requestIndex % 12),
      day: 1,
    })
    requestIndex += 1
    return service.askUncached(`/v1/pun/hourly?from=${from}&to=${from.add({ months: 1 }).subtract({ days: 1 })}`)
  })
}

async function compress(sql: Sql): Promise<void> {
  await sql`
    select compress_chunk(chunk, if_not_compressed => true)
    from show_chunks('price_intervals', older_than => ${NOW.toString()}::timestamptz - interval '90 days') as chunk`
  await analyze(sql)
}

const percentile95 = (values: number[]) => percentile(values, 0.95)

function toTableRow(size: Size, state: 'plain' | 'compressed') {
  const { intervals, refreshAllMs } = size
  const { requests, days, tableMb, aggregatesMb } = size[state]
  const rounded = (value: number) => Number(value.toPrecision(3))
  return {
    millions: rounded(intervals / 1e6),
    state,
    'month ms': rounded(median(requests)),
    'p95 ms': rounded(percentile95(requests)),
    'day ms': rounded(median(days)),
    'rebuilt s': state === 'plain' ? rounded(refreshAllMs / 1000) : undefined,
    'intervals MB': rounded(tableMb),
    'aggregates MB': rounded(aggregatesMb),
  }
}

function rowsOf(sizes: readonly Size[]): BenchRow[] {
  const [small, large] = [sizes[0] as Size, sizes.at(-1) as Size]
  const against = `with ${(large.intervals / 1e6).toFixed(0)} million intervals against ${(small.intervals / 1e6).toFixed(0)}`
  const perRow = ({ refreshAllMs, intervals }: Size) => refreshAllMs / intervals
  const states = [small.plain, ...sizes.slice(1).flatMap(({ plain, compressed }) => [plain, compressed])]
  const slowestP95 = Math.max(...states.map(({ requests }) => percentile95(requests)))
  const slowestDay = Math.max(...states.map(({ days }) => median(days)))
  const built: BenchRow[] = [
    atMost(1.3, 'ratio', perRow(large) / perRow(small), {
      name: `growth: all aggregates rebuilt, time per row ${against}`,
      details: sizes.map(({ refreshAllMs }) => `${(refreshAllMs / 1000).toFixed(1)} s`).join(', '),
    }),
    atMost(0.3, 'ratio', large.compressed.tableMb / large.plain.tableMb, {
      name: 'growth: space of the intervals, compressed against not',
      details: `${large.compressed.tableMb.toFixed(0)} MB against ${large.plain.tableMb.toFixed(0)} MB`,
    }),
  ]
  return [
    atMost(15, 'ms', slowestP95, {
      name: 'growth: a month of hours, uncached, p95 of the slowest size',
      details: sizes.map(({ plain }) => `${percentile95(plain.requests).toFixed(1)} ms`).join(', '),
    }),
    atMost(1.3, 'ratio', percentile95(large.plain.requests) / percentile95(small.plain.requests), {
      name: `growth: a month of hours, p95 ${against}`,
      details: `medians ${median(large.plain.requests).toFixed(1)} ms against ${median(small.plain.requests).toFixed(1)} ms`,
    }),
    atMost(0.15, 's', slowestDay / 1000, {
      name: 'growth: a market day of 8 zones taken in and aggregated, slowest size',
      details: sizes.map(({ plain }) => `${median(plain.days).toFixed(0)} ms`).join(', '),
    }),
    ...(FILLED_URLS.length > 0 ? [] : built),
  ]
}
