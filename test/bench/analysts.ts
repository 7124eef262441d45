/**
 * Ten analyst questions, answered in three ways: through the views of the schema analytics, from the raw intervals in the same database,
 * and in DuckDB from a Parquet file of the same rows with the columns and order of the bulk export. ANALYSTS_MILLIONS intervals, 30 by
 * default; ANALYSTS_DATABASE_URL names a server database that already has them, ANALYSTS_PARQUET its file. All three must agree.
 */
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Database, type Sql } from '../../src/store/database.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { atMost, type BenchRow, median, timeOnce } from './bench.ts'
import { addZones } from './growth.ts'
import { scratchDatabase } from './scratch.ts'

const MILLIONS = Number(process.env.ANALYSTS_MILLIONS ?? 30)
const FILLED_URL = process.env.ANALYSTS_DATABASE_URL
const FILE = process.env.ANALYSTS_PARQUET
/** Rounds of each question; no further round once it has taken ROUNDS_BUDGET_MS. */
const ROUNDS = 3
const ROUNDS_BUDGET_MS = 10_000
/** The row group size of the exporter. */
const ROW_GROUP = 100_000

interface QuestionTimings {
  question: Question
  viewMs: number
  rawMs: number
  duckMs: number
}

export async function analysts(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const { sql } = stack.use(await filledDatabase())
  const folder = await scratchFolder(stack)
  const instance = await DuckDBInstance.create(':memory:')
  const duck = await instance.connect()
  stack.defer(() => {
    duck.closeSync()
    instance.closeSync()
  })
  const { rows, bytes } = await openParquet(sql, duck, folder)
  const timed: QuestionTimings[] = []
  for (const question of QUESTIONS) timed.push(await measureQuestion(question, sql, duck))
  console.table(timed.map(toTableRow))
  const served = timed.filter(({ question }) => question.isAggregated)
  const size = `${(rows / 1e6).toFixed(1)} million intervals, Parquet ${(bytes / 1e6).toFixed(0)} MB`
  return [
    atMost(1, 'ratio', median(served.map(({ viewMs, duckMs }) => viewMs / duckMs)), {
      name: 'analysts: time of DuckDB, median of the questions that an aggregate serves',
      details: `${served.length} questions, ${size}`,
    }),
    atMost(5, 'ratio', median(timed.map(({ rawMs, duckMs }) => rawMs / duckMs)), {
      name: 'analysts: the same over the raw intervals, median of all',
      details: `${timed.length} questions`,
    }),
  ]
}

async function filledDatabase(): Promise<Pick<Database, 'sql'> & AsyncDisposable> {
  if (FILLED_URL !== undefined) return connectDatabase({ url: FILLED_URL, poolSize: 2 })
  const scratch = await scratchDatabase()
  const { sql } = scratch.database
  await addZones(sql, MILLIONS * 1e6)
  await refreshAggregates(sql)
  await compressOldChunks(sql, '2025-09-01') // as every night
  await sql`vacuum (analyze)`
  return { sql, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() }
}

async function openParquet(sql: Sql, duck: DuckDBConnection, folder: string) {
  await duck.run("set timezone = 'UTC'")
  const file = FILE ?? (await writeParquet(sql, duck, folder))
  await duck.run(`create view intervals as select * from read_parquet('${file}')`)
  const holidays = await sql<{ day: string }[]>`select market_day as day from analytics.holidays`
  await duck.run('create table holidays (market_day date)')
  for (const { day } of holidays) await duck.run(`insert into holidays values ('${day}')`)
  const reader = await duck.runAndReadAll('select count(*)::integer as n from intervals')
  return { rows: Number(reader.getRowObjectsJson()[0]?.n), bytes: (await stat(file)).size }
}

async function writeParquet(sql: Sql, duck: DuckDBConnection, folder: string): Promise<string> {
  const [csv, parquet] = ['csv', 'parquet'].map((kind) => path.join(folder, `intervals.${kind}`)) as [string, string]
  const rows = await sql`
    copy (select zone, starts_at, resolution_minutes, price_eur_mwh from price_intervals order by zone, starts_at) to stdout (format csv)
  `.readable()
  await pipeline(rows, createWriteStream(csv))
  await duck.run(`
    copy (
      select * from read_csv('${csv}', header = false, columns = {
        zone: 'varchar', starts_at: 'timestamptz', resolution_minutes: 'smallint', eur_mwh: 'double'
      })
    ) to '${parquet}' (format parquet, compression zstd, row_group_size ${ROW_GROUP})`)
  await rm(csv)
  return parquet
}

async function measureQuestion(question: Question, sql: Sql, duck: DuckDBConnection): Promise<QuestionTimings> {
  const raw = question.statement('price_intervals', 'price_eur_mwh')
  const inDuck = question.statement('intervals', 'eur_mwh')
  let [byView, byRaw, byDuck] = [0, 0, 0]
  const viewTimes: number[] = []
  const rawTimes: number[] = []
  const duckTimes: number[] = []
  const began = performance.now()
  for (let round = 0; round < ROUNDS && (round === 0 || performance.now() - began < ROUNDS_BUDGET_MS); round++) {
    viewTimes.push(await timeOnce(async () => (byView = sumOf(await sql.unsafe(question.views)))))
    rawTimes.push(await timeOnce(async () => (byRaw = sumOf(await sql.unsafe(raw)))))
    duckTimes.push(await timeOnce(async () => (byDuck = sumOf((await duck.runAndReadAll(inDuck)).getRowObjectsJson()))))
  }
  for (const other of [byRaw, byDuck])
    if (Math.abs(other - byView) > 1e-6 * Math.abs(byView) || Number.isNaN(other))
      throw new Error(`${question.name}: ${byView} by the views, ${byRaw} raw, ${byDuck} in DuckDB`)
  console.error(`  ${question.name}`)
  return { question, viewMs: median(viewTimes), rawMs: median(rawTimes), duckMs: median(duckTimes) }
}

/** Sum of the column `value`. */
function sumOf(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((sum, { value }) => sum + Number(value ?? 0), 0)
}

function toTableRow({ question, viewMs, rawMs, duckMs }: QuestionTimings) {
  const rounded = (value: number) => Number(value.toPrecision(3))
  return {
    question: question.name,
    aggregate: question.isAggregated,
    'views ms': rounded(viewMs),
    'raw ms': rounded(rawMs),
    'DuckDB ms': rounded(duckMs),
    'views/DuckDB': rounded(viewMs / duckMs),
    'raw/DuckDB': rounded(rawMs / duckMs),
  }
}

/** In each of the three ways, the column `value` has the same sum. */
interface Question {
  name: string
  /** Whether daily or yearly aggregates answer it; otherwise hours or intervals are read. */
  isAggregated: boolean
  views: string
  /** The same on raw intervals and in DuckDB, except for the names of table and price. */
  statement(table: string, price: string): string
}

/** €/MWh; cannot equal the mean of four prices in cents, which rounding could put on either side. */
const BELOW = 60.001
const ROME = (instant: string) => `(${instant} at time zone 'Europe/Rome')`
const SPAN_2025 = `starts_at >= '2024-12-31 23:00:00Z' and starts_at < '2025-12-31 23:00:00Z'`
/** Weight of an hour of the market day: solar output on a spring day. */
const SUN = (hour: string) => `greatest(0, sin((${hour} - 6) * pi() / 12))`
const BAND = (instant: string, isHoliday: string) => `
  case
    when ${isHoliday} or extract(isodow from ${ROME(instant)}) = 7 then 'F3'
    when extract(isodow from ${ROME(instant)}) = 6 then
      case when extract(hour from ${ROME(instant)}) between 7 and 22 then 'F2' else 'F3' end
    when extract(hour from ${ROME(instant)}) between 8 and 18 then 'F1'
    when extract(hour from ${ROME(instant)}) in (7, 19, 20, 21, 22) then 'F2'
    else 'F3'
  end`
/** Daily means of the intervals of a table, weighted by length. */
const DAYS_OF = (table: string, price: string, where: string) => `
  select zone, ${ROME('starts_at')}::date as day, sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
  from ${table} where ${where} group by 1, 2`
const HOURS_OF = (table: string, price: string, where: string) => `
  select zone, date_trunc('hour', starts_at) as hour, sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
  from ${table} where ${where} group by 1, 2`

const correlation = (days: string) => `
  select case when row_number() over w >= 30 then corr(n, z) over w end as value from (
    select day, max(price) filter (where zone = 'nazionale') as n, max(price) filter (where zone = 'nord') as z
    from (${days}) d group by day
  ) pairs window w as (order by day rows between 29 preceding and current row)`

const QUESTIONS: readonly Question[] = [
  {
    name: 'means by month, every zone, fifteen years',
    isAggregated: true,
    views: "select zone, month, price_eur_mwh as value from analytics.prices_by_month where month < date '2026-01-01'",
    statement: (table, price) => `
      select zone, date_trunc('month', ${ROME('starts_at')}) as month,
        sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
      from ${table} where starts_at < '2025-12-31 23:00:00Z' group by 1, 2`,
  },
  {
    name: 'means of each year, every zone',
    isAggregated: true,
    views: `
      select zone, extract(year from market_day) as year, sum(price_eur_mwh * minutes) / sum(minutes) as value
      from analytics.prices_by_day where market_day < date '2026-01-01' group by 1, 2`,
    statement: (table, price) => `
      select zone, extract(year from ${ROME('starts_at')}) as year,
        sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
      from ${table} where starts_at < '2025-12-31 23:00:00Z' group by 1, 2`,
  },
  {
    name: 'twenty days of the largest spread between hours',
    isAggregated: true,
    views: `
      select zone, market_day, hour_max_eur_mwh - hour_min_eur_mwh as value
      from analytics.prices_by_day where market_day < date '2026-01-01' order by 3 desc nulls last limit 20`,
    statement: (table, price) => `
      select zone, ${ROME('hour')}::date as day, max(price) - min(price) as value
      from (${HOURS_OF(table, price, "starts_at < '2025-12-31 23:00:00Z'")}) h group by 1, 2 order by 3 desc limit 20`,
  },
  {
    name: 'correlation of a zone with the PUN over 30 days, rolling, fifteen years',
    isAggregated: true,
    views: correlation(`
      select zone, market_day as day, price_eur_mwh as price
      from analytics.prices_by_day where zone in ('nazionale', 'nord') and market_day < date '2026-01-01'`),
    statement: (table, price) =>
      correlation(DAYS_OF(table, price, `zone in ('nazionale', 'nord') and starts_at < '2025-12-31 23:00:00Z'`)),
  },
  {
    name: 'change of each month against the year before, every zone',
    isAggregated: true,
    views: `
      select a.zone, a.month, a.price_eur_mwh / b.price_eur_mwh as value
      from analytics.prices_by_month a
      join analytics.prices_by_month b on b.zone = a.zone and b.month = a.month - interval '1 year'
      where a.month >= date '2025-01-01' and a.month < date '2026-01-01' and b.month >= date '2024-01-01'`,
    statement: (table, price) => `
      with months as (
        select zone, date_trunc('month', ${ROME('starts_at')}) as month,
          sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
        from ${table} where starts_at >= '2023-12-31 23:00:00Z' and starts_at < '2025-12-31 23:00:00Z' group by 1, 2
      )
      select a.zone, a.month, a.price / b.price as value
      from months a join months b on b.zone = a.zone and b.month = a.month - interval '1 year'`,
  },
  {
    name: 'means by tariff band and month, the PUN in 2025',
    isAggregated: false,
    views: `
      select month, band, price_eur_mwh as value from analytics.prices_by_band_and_month
      where zone = 'nazionale' and month >= date '2025-01-01' and month < date '2026-01-01'`,
    statement: (table, price) => `
      select date_trunc('month', ${ROME('starts_at')}) as month,
        ${BAND('starts_at', 'h.market_day is not null')} as band,
        sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
      from ${table} p
      left join ${table === 'intervals' ? 'holidays' : 'analytics.holidays'} h on h.market_day = ${ROME('starts_at')}::date
      where zone = 'nazionale' and ${SPAN_2025} group by 1, 2`,
  },
  {
    name: 'capture price of a solar profile by month, the PUN in 2025',
    isAggregated: false,
    views: `
      select date_trunc('month', market_day) as month,
        sum(price_eur_mwh * ${SUN(`extract(hour from ${ROME('starts_at')})`)}) / sum(${SUN(`extract(hour from ${ROME('starts_at')})`)}) as value
      from analytics.prices_by_hour where zone = 'nazionale' and ${SPAN_2025} group by 1`,
    statement: (table, price) => `
      select date_trunc('month', ${ROME('hour')}) as month,
        sum(price * ${SUN(`extract(hour from ${ROME('hour')})`)}) / sum(${SUN(`extract(hour from ${ROME('hour')})`)}) as value
      from (${HOURS_OF(table, price, `zone = 'nazionale' and ${SPAN_2025}`)}) h group by 1`,
  },
  {
    name: 'hours below a price by zone, 2025',
    isAggregated: false,
    views: `
      select zone, count(*) as value from analytics.prices_by_hour
      where ${SPAN_2025} and price_eur_mwh < ${BELOW} group by zone`,
    statement: (table, price) => `
      select zone, count(*) as value from (${HOURS_OF(table, price, SPAN_2025)}) h where price < ${BELOW} group by zone`,
  },
  {
    name: 'ninetieth percentile of the hours by month, the PUN, fifteen years',
    isAggregated: false,
    views: `
      select date_trunc('month', market_day) as month, percentile_cont(0.9) within group (order by price_eur_mwh) as value
      from analytics.prices_by_hour where zone = 'nazionale' and starts_at < '2025-12-31 23:00:00Z' group by 1`,
    statement: (table, price) => `
      select date_trunc('month', ${ROME('hour')}) as month, percentile_cont(0.9) within group (order by price) as value
      from (${HOURS_OF(table, price, `zone = 'nazionale' and starts_at < '2025-12-31 23:00:00Z'`)}) h group by 1`,
  },
  {
    name: 'the week of quarter-hours: mean by weekday and quarter, one zone, 2025',
    isAggregated: false,
    views: `
      select extract(isodow from ${ROME('starts_at')}) as weekday, ${ROME('starts_at')}::time as quarter, avg(price_eur_mwh) as value
      from analytics.prices_by_interval where zone = 'nord' and ${SPAN_2025} group by 1, 2`,
    statement: (table, price) => `
      select extract(isodow from ${ROME('starts_at')}) as weekday, ${ROME('starts_at')}::time as quarter, avg(${price}) as value
      from ${table} where zone = 'nord' and ${SPAN_2025} group by 1, 2`,
  },
]
