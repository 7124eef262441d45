/** Bulk files: a large export compared with DuckDB, and the files by year with their Iceberg metadata. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type AsyncBuffer, asyncBufferFromUrl, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { BulkFiles } from '../../src/api/contract/bulk.ts'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { runMaker } from '../../src/delivery/bulk/run-maker.ts'
import type { MadeFile } from '../../src/delivery/bulk/write-file.ts'
import { publishLake } from '../../src/delivery/lake/publish-lake.ts'
import { startOfMarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { ALL_ROWS, bulkSources } from '../../src/store/bulk-rows.ts'
import { icebergRows } from '../support/iceberg.ts'
import { atLeast, atMost, type BenchRow, median, timeOnce } from './bench.ts'
import { fillZones, type ScratchDatabase, type ServedDatabase, scratchDatabase, serve } from './scratch.ts'

const ROWS = 1_500_000
const LAST_DAY = Temporal.PlainDate.from('2025-09-30')
const NOW = Temporal.Instant.from('2025-09-30T12:00:00Z')
const DAYS = Math.ceil(ROWS / STORED_ZONES.length / 24)
const WARM = '/v1/prices/pun/series?from=2025-09-01&to=2025-09-30'
const POLL_MS = 20
const ROWS_AT_A_TIME = 5_000
const ROUNDS = 3

/**
 * Export of 1.5 million hourly rows. Time: compared with DuckDB writing the same rows from its memory plus a bare read of them from the
 * database, row by row in file order. Also the memory of the exporting process, the file size compared with DuckDB's, and the effect on
 * API latency. The exporter itself reads columns that the database builds; that read is measured for comparison.
 */
export async function exports(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await fillZones(scratch, { from: LAST_DAY.subtract({ days: DAYS - 1 }), to: LAST_DAY, resolutionMinutes: 60 })
  await scratch.database.sql`update sources set redistributable = true`
  await using service = await serve(scratch, NOW)
  const idle = await warmLatencies(service, Promise.withResolvers<void>().promise, 300)
  const exports: TimedExport[] = []
  const reading: number[] = []
  const readingColumns: number[] = []
  const copies: { ms: number; bytes: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const file = path.join(scratch.folder, `pun-hourly-${round}.parquet`)
    exports.push(await timedExport(scratch, file))
    reading.push(await timeOnce(() => readRows(scratch)))
    readingColumns.push(await timeOnce(() => readColumns(scratch)))
    copies.push(await duckCopy(file, path.join(scratch.folder, `duck-${round}.parquet`)))
  }
  const latencies = await latenciesDuringExport(scratch, service)
  const [exportMs, readMs, readColumnsMs, copyMs] = [
    median(exports.map(({ ms }) => ms)),
    median(reading),
    median(readingColumns),
    median(copies.map(({ ms }) => ms)),
  ]
  const [exported, copy] = [exports[0] as TimedExport, copies[0] as { bytes: number }]
  return [
    atMost(1, 'ratio', exportMs / (3 * copyMs + readMs), {
      name: `${exported.rows} rows to Parquet: time of DuckDB's COPY three times plus bare reading`,
      details: `${seconds(exportMs)} s with start and check; COPY ${seconds(copyMs)} s, reading ${seconds(readMs)} s, as the exporter reads ${seconds(readColumnsMs)} s; medians of ${ROUNDS}`,
    }),
    atMost(400, 'MB', Math.max(...exports.map(({ peakMb }) => peakMb)), {
      name: 'peak memory of the process that writes it',
      details: 'resident, as the kernel counts it',
    }),
    atMost(1.3, 'ratio', exported.bytes / copy.bytes, {
      name: 'size of the file against DuckDB’s with ZSTD',
      details: `${exported.bytes} bytes against ${copy.bytes}`,
    }),
    atMost(1.5, 'ratio', median(latencies) / median(idle), {
      name: 'warm API latency while an export runs: median against idle',
      details: `${median(latencies).toFixed(2)} ms against ${median(idle).toFixed(2)} ms`,
    }),
  ]
}

interface TimedExport extends MadeFile {
  ms: number
  peakMb: number
}

/** Without other load, like the read and the copy it is compared with. */
async function timedExport(scratch: ScratchDatabase, file: string): Promise<TimedExport> {
  const started = performance.now()
  let peakMb = 0
  let watch: NodeJS.Timeout | undefined
  const exported = await exportTo(scratch, file, (pid) => {
    watch = setInterval(async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    }, POLL_MS)
  }).finally(() => clearInterval(watch))
  return { ...exported, ms: performance.now() - started, peakMb }
}

async function latenciesDuringExport(scratch: ScratchDatabase, service: ServedDatabase): Promise<number[]> {
  const running = exportTo(scratch, path.join(scratch.folder, 'beside-requests.parquet'))
  const [latencies] = await Promise.all([warmLatencies(service, running, Number.POSITIVE_INFINITY), running])
  return latencies
}

async function exportTo(scratch: ScratchDatabase, file: string, onStart?: (pid: number) => void): Promise<MadeFile> {
  const task = { databaseUrl: scratch.url, isServer: false, dataset: 'pun-hourly', format: 'parquet', file } as const
  const [exported] = await runMaker(task, { signal: AbortSignal.timeout(600_000), onStart })
  if (exported === undefined) throw new Error('nothing was exported')
  return exported
}

/** Latencies in milliseconds of sequential requests, until `until` settles or `requestsMax` is reached. */
async function warmLatencies(service: ServedDatabase, until: Promise<unknown>, requestsMax: number): Promise<number[]> {
  let isOver = false
  const finish = () => {
    isOver = true
  }
  void until.then(finish, finish)
  const durations: number[] = []
  while (!isOver && durations.length < requestsMax) {
    const started = performance.now()
    const answer = await fetch(new URL(WARM, service.baseUrl), { headers: service.headers })
    await answer.arrayBuffer()
    durations.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return durations.slice(5)
}

/** Reads the rows in file order and discards them. */
async function readRows({ database }: ScratchDatabase): Promise<void> {
  const allowed = await bulkSources(database.sql)
  const rows = database.sql`
    select zone, starts_at, resolution_minutes, price_eur_mwh, source, observed_at
    from price_intervals where zone = any (${[...STORED_ZONES]}) and source = any (${allowed})
    order by zone, starts_at`
  let count = 0
  for await (const some of rows.cursor(ROWS_AT_A_TIME)) count += some.length
  if (count < ROWS) throw new Error(`read ${count} rows`)
}

/** Reads as the exporter does and discards the result. */
async function readColumns({ database }: ScratchDatabase): Promise<void> {
  const allowed = await bulkSources(database.sql)
  let count = 0
  for await (const chunk of DATASETS['pun-hourly'].read(database.sql, allowed, ALL_ROWS)) count += chunk.rows
  if (count < ROWS) throw new Error(`read ${count} rows`)
}

/** Writes the same rows from DuckDB's memory, with the same sort order, row groups and compression. */
async function duckCopy(from: string, to: string): Promise<{ ms: number; bytes: number }> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`create table rows as from '${from}'`)
  const ms = await timeOnce(() =>
    connection.run(`copy rows to '${to}' (format parquet, compression zstd, row_group_size 100000)`),
  )
  connection.closeSync()
  instance.closeSync()
  return { ms, bytes: (await readFile(to)).length }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2)
}

const FIRST = Temporal.PlainDate.from('2011-01-01')
const QUARTERS_FROM = Temporal.PlainDate.from('2025-10-01')
const LAST = Temporal.PlainDate.from('2026-10-25')
const YEAR = 2024
const ZONE = 'nord'
/** The only file that is overwritten by each snapshot. */
const OVERWRITTEN_FILE = /version-hint\.text$/

/**
 * The files by year: fifteen and a half years of eight zones, the last thirteen months in quarter-hours. Measures how much a reader of
 * byte ranges needs for one zone and one year, how much a night without corrections writes, and whether icebird reads the table as it is
 * in the database. Everything over HTTP comes from the service, through its list of files and signed URLs.
 */
export async function lake(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const before = QUARTERS_FROM.subtract({ days: 1 })
  await fillZones(scratch, { from: FIRST, to: before, resolutionMinutes: 60, priceOf })
  await fillZones(scratch, { from: QUARTERS_FROM, to: LAST, resolutionMinutes: 15, priceOf })
  await sql`update sources set redistributable = true`

  const first = await publish(scratch, LAST)
  const filesBefore = await sizes(scratch)
  const tomorrow = LAST.add({ days: 1 })
  await fillZones(scratch, { from: tomorrow, to: tomorrow, resolutionMinutes: 15, priceOf })
  const night = await publish(scratch, tomorrow)
  const written = [...(await sizes(scratch))].filter(([name]) => OVERWRITTEN_FILE.test(name) || !filesBefore.has(name))
  const bytesOf = (kind: RegExp) => written.reduce((sum, [name, bytes]) => sum + (kind.test(name) ? bytes : 0), 0)
  const nightBytes = bytesOf(/./)
  const idle = await publish(scratch, tomorrow)

  await using service = await serve(scratch, noonAfter(tomorrow), {
    BULK_DIR: filesOf(scratch),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  const range = await readYear(service)
  const { lakeRows, equal, seconds } = await scan(scratch)
  return [
    atMost(6, 'reads', range.requests, {
      name: `one zone, one year of ${lakeRows} rows, by hyparquet: requests, the list among them`,
      details: `${range.rows} rows of ${range.files} file(s)`,
    }),
    atMost(0.02, 'ratio', range.bytes / range.allBytes, {
      name: 'its bytes, the list among them, of all bytes of the dataset',
      details: `${range.bytes} of ${range.allBytes} bytes`,
    }),
    atMost(1, 'ratio', range.monthBytes / range.bytes, {
      name: 'two columns of a month of it by hyparquet: bytes of the year’s',
      details: `${range.monthBytes} bytes, ${range.monthRequests} requests`,
    }),
    atMost(0.05, 'ratio', nightBytes / range.allBytes, {
      name: 'bytes written in a night without corrections, metadata among them, of all bytes',
      details: `${nightBytes} bytes in ${written.length} files (${bytesOf(/\.parquet$/)} rows, ${bytesOf(/\.avro$|metadata\.json$/)} Iceberg), in ${night.seconds.toFixed(1)} s; the first night ${first.seconds.toFixed(1)} s; one without a change ${idle.seconds.toFixed(1)} s, ${idle.bytes} bytes`,
    }),
    atLeast(1, 'ratio', equal, {
      name: 'rows of the Iceberg table by icebird that equal the database’s',
      details: `${lakeRows} rows scanned in ${seconds.toFixed(1)} s`,
    }),
  ]
}

/** Two decimals without a repeating pattern, so that they compress no better than real prices. */
function priceOf(i: number, day: Temporal.PlainDate, n: number): number {
  const noise = Math.sin((day.year * 400 + day.dayOfYear) * 97.13 + n * 12.7 + i * 3.1) * 43_758.5453
  return Math.round((70 + 30 * Math.sin(n / 9) + 20 * (noise - Math.floor(noise)) + i) * 100) / 100
}

const filesOf = ({ folder }: ScratchDatabase) => path.join(folder, 'bulk')

async function publish(scratch: ScratchDatabase, day: Temporal.PlainDate) {
  const { database, url } = scratch
  const folder = filesOf(scratch)
  const started = performance.now()
  await mkdir(folder, { recursive: true })
  const { outcome, bytes } = await publishLake('pun-hourly', {
    ...{ sql: database.sql, databaseUrl: url, isServer: process.env.DATABASE_URL !== undefined, folder },
    store: folderStore(folder),
    now: () => noonAfter(day),
    signal: AbortSignal.timeout(600_000),
    niceness: os.constants.priority.PRIORITY_NORMAL,
  })
  return { outcome, bytes, seconds: (performance.now() - started) / 1_000 }
}

function noonAfter(day: Temporal.PlainDate): Temporal.Instant {
  return startOfMarketDay(day).add({ hours: 12 })
}

/** Sizes of all files of the table by name. */
async function sizes(scratch: ScratchDatabase): Promise<Map<string, number>> {
  const table = path.join(filesOf(scratch), 'lake/pun-hourly')
  const names = (await readdir(table, { recursive: true })).filter((name) => path.extname(name) !== '')
  const files = names.map(async (name) => [name, (await stat(path.join(table, name))).size] as const)
  return new Map(await Promise.all(files))
}

interface ReadCounter {
  requests: number
  bytes: number
}

/** A file read by byte ranges, with a count of the bytes read. */
async function countingFile(url: string, byteLength: number, counted: ReadCounter): Promise<AsyncBuffer> {
  return asyncBufferFromUrl({
    url,
    byteLength,
    fetch: async (...request) => {
      const answer = await fetch(...request)
      counted.requests += 1
      counted.bytes += Number(answer.headers.get('content-length'))
      return answer
    },
  })
}

async function readYear({ baseUrl, headers }: ServedDatabase) {
  const counted = { requests: 1, bytes: 0 }
  const list = async (query: string) => {
    const answer = await fetch(new URL(`/v1/bulk/pun-hourly/files${query}`, baseUrl), { headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return { length: Buffer.byteLength(text), files: (JSON.parse(text) as BulkFiles).files }
  }
  const all = (await list('')).files
  const { files, length } = await list(`?part=${ZONE}&from=${YEAR}-01-01&to=${YEAR}-12-31`)
  counted.bytes += length
  let rows = 0
  const month = { requests: 0, bytes: 0 }
  for (const { download_url: url, bytes } of files) {
    const file = await countingFile(url, bytes, counted)
    rows += (await parquetReadObjects({ file, compressors })).length
    const part = await countingFile(url, bytes, month)
    await parquetReadObjects({ file: part, compressors, columns: ['starts_at', 'eur_mwh'], rowStart: 0, rowEnd: 744 })
  }
  return {
    ...counted,
    rows,
    files: files.length,
    allBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    monthBytes: month.bytes,
    monthRequests: month.requests,
  }
}

/** Compares every row of the table with the database; computes the share that is equal. */
async function scan(scratch: ScratchDatabase) {
  const started = performance.now()
  const table = folderStore(filesOf(scratch)).uri('lake/pun-hourly')
  const rows = await icebergRows(table)
  const seconds = (performance.now() - started) / 1_000
  const stored = await scratch.database.sql<{ zone: string; ms: number; price: number }[]>`
    select zone, (extract(epoch from starts_at) * 1000)::double precision as ms, price_eur_mwh as price from price_intervals
    where zone = any (${[...STORED_ZONES]})`
  const known = new Map(stored.map(({ zone, ms, price }) => [`${zone} ${ms}`, price]))
  const equal = rows.filter(
    ({ zone, starts_at, eur_mwh }) => known.get(`${zone} ${Number(starts_at)}`) === eur_mwh,
  ).length
  return { lakeRows: rows.length, equal: equal / Math.max(stored.length, rows.length), seconds }
}
