/**
 * Ten questions of an analyst, side by side: through the views of the schema analytics, over the raw intervals in the same database, and in
 * DuckDB over a Parquet file of the same rows with the columns and the order of the bulk export. ANALYSTS_MILLIONS intervals, 30 by
 * default; ANALYSTS_DATABASE_URL names a server's database that holds them already, ANALYSTS_PARQUET its file. All three must find the same.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Database, type Sql } from '../../src/store/database.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { QUESTIONS, type Question } from './analysts-questions.ts'
import { type BenchRow, median, time } from './bench.ts'
import { addZones } from './growth.ts'
import { scratchDatabase } from './scratch-database.ts'

const MILLIONS = Number(process.env.ANALYSTS_MILLIONS ?? 30)
const FILLED_URL = process.env.ANALYSTS_DATABASE_URL
const FILE = process.env.ANALYSTS_PARQUET
/** Of each question, but no further ones once it has taken so long. */
const ROUNDS = 3
const LONG_MS = 10_000
/** As many rows of the file as the exporter groups. */
const ROW_GROUP = 100_000

interface Timed {
  question: Question
  viewMs: number
  rawMs: number
  duckMs: number
}

export default async function analysts(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const { sql } = stack.use(await filledDatabase())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-analysts-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const instance = await DuckDBInstance.create(':memory:')
  const duck = await instance.connect()
  stack.defer(() => {
    duck.closeSync()
    instance.closeSync()
  })
  const { rows, bytes } = await openParquet(sql, duck, folder)
  const timed: Timed[] = []
  for (const question of QUESTIONS) timed.push(await ask(question, sql, duck))
  console.table(timed.map(printed))
  const served = timed.filter(({ question }) => question.isAggregated)
  const size = `${(rows / 1e6).toFixed(1)} million intervals, Parquet ${(bytes / 1e6).toFixed(0)} MB`
  return [
    {
      name: 'analysts: time of DuckDB, median of the questions that an aggregate serves',
      measured: median(served.map(({ viewMs, duckMs }) => viewMs / duckMs)),
      unit: 'ratio',
      bound: { atMost: 1 },
      details: `${served.length} questions, ${size}`,
    },
    {
      name: 'analysts: the same over the raw intervals, median of all',
      measured: median(timed.map(({ rawMs, duckMs }) => rawMs / duckMs)),
      unit: 'ratio',
      bound: { atMost: 5 },
      details: `${timed.length} questions`,
    },
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

async function ask(question: Question, sql: Sql, duck: DuckDBConnection): Promise<Timed> {
  let [byView, byRaw, byDuck] = [0, 0, 0]
  const viewTimes: number[] = []
  const rawTimes: number[] = []
  const duckTimes: number[] = []
  const began = performance.now()
  for (let round = 0; round < ROUNDS && (round === 0 || performance.now() - began < LONG_MS); round++) {
    viewTimes.push(...(await time(1, async () => (byView = sumOf(await sql.unsafe(question.views))))))
    rawTimes.push(...(await time(1, async () => (byRaw = sumOf(await sql.unsafe(question.raw))))))
    duckTimes.push(
      ...(await time(1, async () => (byDuck = sumOf((await duck.runAndReadAll(question.duck)).getRowObjectsJson())))),
    )
  }
  for (const other of [byRaw, byDuck])
    if (Math.abs(other - byView) > 1e-6 * Math.abs(byView) || Number.isNaN(other))
      throw new Error(`${question.name}: ${byView} by the views, ${byRaw} raw, ${byDuck} in DuckDB`)
  console.error(`  ${question.name}`)
  return { question, viewMs: median(viewTimes), rawMs: median(rawTimes), duckMs: median(duckTimes) }
}

/** Of all numbers in the column `value`. */
function sumOf(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((sum, { value }) => sum + Number(value ?? 0), 0)
}

function printed({ question, viewMs, rawMs, duckMs }: Timed) {
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
