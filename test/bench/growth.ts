/**
 * How the service grows with its data: 1, 3 and 10 million intervals, or those of GROWTH_MILLIONS=1,3,10,30. At each size the time of
 * a month of hours uncached over HTTP, of taking in a market day and bringing the aggregates up to date, and the space on disk; at
 * the end the same with all but the last 90 days compressed. Fifteen years of quarter-hours, of ever more zones.
 */
import { STORED_ZONES } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Sql } from '../../src/store/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { type BenchRow, median, time } from './bench.ts'
import { type ScratchDatabase, scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const MILLIONS = (process.env.GROWTH_MILLIONS ?? '1,3,10').split(',').map(Number)
const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const FIRST_YEAR = 2011
const LAST_YEAR = 2025
const REQUESTS = 60
const MB = 1024 * 1024

interface Size {
  intervals: number
  requestMs: number
  requestP95Ms: number
  dayMs: number
  refreshAllMs: number
  tableMb: number
  aggregatesMb: number
  memoryMb: number
}

export default async function growth(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await using service = await serve(scratch, NOW)
  const sizes: Size[] = []
  let zones = 0
  for (const millions of MILLIONS) {
    zones = await addZones(sql, zones, millions * 1e6)
    const [refreshAllMs = Number.NaN] = await time(1, () => refreshAggregates(sql))
    await sql`analyze`
    sizes.push({ ...(await measure(scratch, service, sizes.length)), refreshAllMs })
  }
  await compress(sql)
  const compressed = { ...(await measure(scratch, service, sizes.length)), refreshAllMs: Number.NaN }
  console.table([...sizes, compressed].map(printed))
  return rowsOf(sizes[0] as Size, sizes.at(-1) as Size, compressed)
}

/** Fills further zones until there are so many intervals; returns how many zones there are. */
async function addZones(sql: Sql, from: number, intervals: number): Promise<number> {
  let zones = from
  while ((await countIntervals(sql)) < intervals) {
    const zone = STORED_ZONES[zones] ?? `zone${zones}`
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) await addYear(sql, zone, zones, year)
    await sql`analyze price_intervals`
    zones += 1
  }
  return zones
}

async function countIntervals(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select approximate_row_count('price_intervals') as count`
  return row?.count ?? 0
}

/** Prices with two decimals that go up and down within the day and are nowhere quite regular. */
async function addYear(sql: Sql, zone: string, seed: number, year: number): Promise<void> {
  await sql`
    insert into price_intervals
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
    select ${zone}, starts_at, 15, market_day_of(starts_at),
      1 + extract(epoch from starts_at - market_day_start(market_day_of(starts_at)))::integer / 900,
      round((80 + 30 * sin(extract(hour from starts_at) / 4) + hashint4(n::integer + ${seed}) % 2000 / 100.0)::numeric, 2),
      'gme-mgp', starts_at, starts_at, 1
    from generate_series(
      market_day_start(make_date(${year}, 1, 1)), market_day_start(make_date(${year + 1}, 1, 1)) - interval '15 minutes',
      interval '15 minutes'
    ) with ordinality as g (starts_at, n)`
}

async function measure(
  scratch: ScratchDatabase,
  service: ServedDatabase,
  round: number,
): Promise<Omit<Size, 'refreshAllMs'>> {
  const { sql } = scratch.database
  const requests = await askMonths(service)
  const day = Temporal.PlainDate.from({ year: LAST_YEAR + 1, month: 1, day: 1 + round }).toString()
  const [dayMs = Number.NaN] = await time(1, async () => {
    await storePrices(
      sql,
      STORED_ZONES.map((zone) => zoneDay(zone, day, 15, (n) => 100 + n / 4)),
      { at: NOW },
    )
    await refreshAggregates(sql)
  })
  const [space] = await sql<{ table: number; aggregates: number }[]>`
    select hypertable_size('price_intervals') as table,
      (select sum(hypertable_size(format('%I.%I', materialization_hypertable_schema, materialization_hypertable_name)::regclass))
       from timescaledb_information.continuous_aggregates)::bigint as aggregates`
  return {
    intervals: await countIntervals(sql),
    requestMs: median(requests),
    requestP95Ms: requests.toSorted((a, b) => a - b)[Math.floor(requests.length * 0.95)] ?? Number.NaN,
    dayMs,
    tableMb: (space?.table ?? Number.NaN) / MB,
    aggregatesMb: (space?.aggregates ?? Number.NaN) / MB,
    memoryMb: process.memoryUsage.rss() / MB,
  }
}

/** Milliseconds of requests for a month of hours of the PUN, of different years and months. */
function askMonths(service: ServedDatabase): Promise<number[]> {
  let asked = 0
  return time(REQUESTS, async () => {
    service.raiseDataVersion()
    const from = Temporal.PlainDate.from({ year: FIRST_YEAR + (asked % 15), month: 1 + (asked % 12), day: 1 })
    asked += 1
    const to = from.add({ months: 1 }).subtract({ days: 1 })
    const answer = await fetch(new URL(`/v1/pun/hourly?from=${from}&to=${to}`, service.baseUrl), {
      headers: service.headers,
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`hours from ${from} were answered with ${answer.status}`)
  })
}

async function compress(sql: Sql): Promise<void> {
  await sql`
    select compress_chunk(chunk, if_not_compressed => true)
    from show_chunks('price_intervals', older_than => ${NOW.toString()}::timestamptz - interval '90 days') as chunk`
  await sql`analyze`
}

function printed(size: Size) {
  return Object.fromEntries(Object.entries(size).map(([name, value]) => [name, Number(value.toPrecision(4))]))
}

function rowsOf(small: Size, large: Size, compressed: Size): BenchRow[] {
  const times = `with ${(large.intervals / 1e6).toFixed(0)} million intervals against ${(small.intervals / 1e6).toFixed(0)}`
  return [
    {
      name: `growth: a month of hours ${times}`,
      measured: large.requestMs / small.requestMs,
      unit: 'ratio',
      bound: { atMost: 1.5 },
      details: `${large.requestMs.toFixed(1)} ms against ${small.requestMs.toFixed(1)} ms`,
    },
    {
      name: `growth: a market day taken in and aggregated ${times}`,
      measured: large.dayMs / small.dayMs,
      unit: 'ratio',
      bound: { atMost: 3 },
      details: `${large.dayMs.toFixed(0)} ms against ${small.dayMs.toFixed(0)} ms`,
    },
    {
      name: 'growth: a month of hours, compressed against not',
      measured: compressed.requestMs / large.requestMs,
      unit: 'ratio',
      bound: { atMost: 3 },
      details: `${compressed.requestMs.toFixed(1)} ms against ${large.requestMs.toFixed(1)} ms`,
    },
    {
      name: 'growth: space of the intervals, compressed against not',
      measured: compressed.tableMb / large.tableMb,
      unit: 'ratio',
      bound: { atMost: 0.3 },
      details: `${compressed.tableMb.toFixed(0)} MB against ${large.tableMb.toFixed(0)} MB`,
    },
  ]
}
