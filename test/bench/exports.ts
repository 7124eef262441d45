/**
 * A file of 1.5 million hourly rows: its time against DuckDB's own writing of the same rows from its memory plus the bare reading of
 * them from the database, row by row in the order of the file, the memory of the process that writes it, its size against DuckDB's, and
 * what an export costs the API. The exporter itself has the database make columns of the rows: that reading is measured for comparison.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { runMaker } from '../../src/delivery/bulk/run-maker.ts'
import type { MadeFile } from '../../src/delivery/bulk/write-file.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { ALL_ROWS, bulkSources } from '../../src/store/bulk-rows.ts'
import { type BenchRow, median } from './bench.ts'
import { fillZones } from './fill-zones.ts'
import { type ScratchDatabase, scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const ROWS = 1_500_000
const LAST_DAY = Temporal.PlainDate.from('2025-09-30')
const NOW = Temporal.Instant.from('2025-09-30T12:00:00Z')
const DAYS = Math.ceil(ROWS / STORED_ZONES.length / 24)
const WARM = '/v1/prices/pun/series?from=2025-09-01&to=2025-09-30'
const POLL_MS = 20
const ROWS_AT_A_TIME = 5_000
const ROUNDS = 3

export default async function exports(): Promise<BenchRow[]> {
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
    reading.push(await timed(() => readRows(scratch)))
    readingColumns.push(await timed(() => readColumns(scratch)))
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
    {
      name: `${exported.rows} rows to Parquet: time of DuckDB's COPY three times plus bare reading`,
      measured: exportMs / (3 * copyMs + readMs),
      unit: 'ratio',
      bound: { atMost: 1 },
      details: `${seconds(exportMs)} s with start and check; COPY ${seconds(copyMs)} s, reading ${seconds(readMs)} s, as the exporter reads ${seconds(readColumnsMs)} s; medians of ${ROUNDS}`,
    },
    {
      name: 'peak memory of the process that writes it',
      measured: Math.max(...exports.map(({ peakMb }) => peakMb)),
      unit: 'MB',
      bound: { atMost: 400 },
      details: 'resident, as the kernel counts it',
    },
    {
      name: 'size of the file against DuckDB’s with ZSTD',
      measured: exported.bytes / copy.bytes,
      unit: 'ratio',
      bound: { atMost: 1.3 },
      details: `${exported.bytes} bytes against ${copy.bytes}`,
    },
    {
      name: 'warm API latency while an export runs: median against idle',
      measured: median(latencies) / median(idle),
      unit: 'ratio',
      bound: { atMost: 1.5 },
      details: `${median(latencies).toFixed(2)} ms against ${median(idle).toFixed(2)} ms`,
    },
  ]
}

interface TimedExport extends MadeFile {
  ms: number
  peakMb: number
}

/** With nothing else going on, as the reading and the copy it is compared with. */
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

/** Milliseconds of requests one after the other, until something is over or there were so many. */
async function warmLatencies(service: ServedDatabase, until: Promise<unknown>, requestsMax: number): Promise<number[]> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  void until.then(over, over)
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

/** In the order of the file, and nothing done with them. */
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

/** As the exporter reads, and nothing done with it. */
async function readColumns({ database }: ScratchDatabase): Promise<void> {
  const allowed = await bulkSources(database.sql)
  let count = 0
  for await (const chunk of DATASETS['pun-hourly'].read(database.sql, allowed, ALL_ROWS)) count += chunk.rows
  if (count < ROWS) throw new Error(`read ${count} rows`)
}

/** The same rows from DuckDB's memory, sorted as ours, with the same row groups and compression. */
async function duckCopy(from: string, to: string): Promise<{ ms: number; bytes: number }> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`create table rows as from '${from}'`)
  const ms = await timed(() =>
    connection.run(`copy rows to '${to}' (format parquet, compression zstd, row_group_size 100000)`),
  )
  connection.closeSync()
  instance.closeSync()
  return { ms, bytes: (await readFile(to)).length }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2)
}
