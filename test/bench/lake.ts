/**
 * The files by year of fifteen years and a half of eight zones, the last thirteen months in quarter-hours: how much of them a reader
 * that takes ranges needs for one zone and one year, what a night without corrections writes, and the table as icebird reads it against the
 * database. Everything over HTTP comes from the service, through its list of files and signed addresses.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type AsyncBuffer, asyncBufferFromUrl, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { BulkFiles } from '../../src/api/contract/bulk.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { publishLake } from '../../src/delivery/lake/publish-lake.ts'
import { startOfMarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { icebergRows } from '../support/iceberg.ts'
import type { BenchRow } from './bench.ts'
import { fillZones } from './fill-zones.ts'
import { type ScratchDatabase, scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const FIRST = Temporal.PlainDate.from('2011-01-01')
const QUARTERS_FROM = Temporal.PlainDate.from('2025-10-01')
const LAST = Temporal.PlainDate.from('2026-10-25')
const YEAR = 2024
const ZONE = 'nord'
/** Under the same name with each snapshot. */
const REWRITTEN = /version-hint\.text$/

export default async function lake(): Promise<BenchRow[]> {
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
  const written = [...(await sizes(scratch))].filter(([name]) => REWRITTEN.test(name) || !filesBefore.has(name))
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
    {
      name: `one zone, one year of ${lakeRows} rows, by hyparquet: requests, the list among them`,
      measured: range.requests,
      unit: 'reads',
      bound: { atMost: 6 },
      details: `${range.rows} rows of ${range.files} file(s)`,
    },
    {
      name: 'its bytes, the list among them, of all bytes of the dataset',
      measured: range.bytes / range.allBytes,
      unit: 'ratio',
      bound: { atMost: 0.02 },
      details: `${range.bytes} of ${range.allBytes} bytes`,
    },
    {
      name: 'two columns of a month of it by hyparquet: bytes of the year’s',
      measured: range.monthBytes / range.bytes,
      unit: 'ratio',
      bound: { atMost: 1 },
      details: `${range.monthBytes} bytes, ${range.monthRequests} requests`,
    },
    {
      name: 'bytes written in a night without corrections, metadata among them, of all bytes',
      measured: nightBytes / range.allBytes,
      unit: 'ratio',
      bound: { atMost: 0.05 },
      details: `${nightBytes} bytes in ${written.length} files (${bytesOf(/\.parquet$/)} rows, ${bytesOf(/\.avro$|metadata\.json$/)} Iceberg), in ${night.seconds.toFixed(1)} s; the first night ${first.seconds.toFixed(1)} s; one without a change ${idle.seconds.toFixed(1)} s, ${idle.bytes} bytes`,
    },
    {
      name: 'rows of the Iceberg table by icebird that equal the database’s',
      measured: equal,
      unit: 'ratio',
      bound: { atLeast: 1 },
      details: `${lakeRows} rows scanned in ${seconds.toFixed(1)} s`,
    },
  ]
}

/** With two decimals that do not repeat, since prices compress no better than they do. */
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

/** Of everything that the table has, by name. */
async function sizes(scratch: ScratchDatabase): Promise<Map<string, number>> {
  const table = path.join(filesOf(scratch), 'lake/pun-hourly')
  const names = (await readdir(table, { recursive: true })).filter((name) => path.extname(name) !== '')
  const files = names.map(async (name) => [name, (await stat(path.join(table, name))).size] as const)
  return new Map(await Promise.all(files))
}

interface Counted {
  requests: number
  bytes: number
}

/** A file that is read by ranges, and what that takes. */
async function countedFile(url: string, byteLength: number, counted: Counted): Promise<AsyncBuffer> {
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
    const file = await countedFile(url, bytes, counted)
    rows += (await parquetReadObjects({ file, compressors })).length
    const part = await countedFile(url, bytes, month)
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

/** Every row of the table against the database's: the share that is equal. */
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
