/** Import speed: years of hours, a day of offers, a market day, and a backfill over HTTP. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { backfill } from '../../src/ingest/backfill.ts'
import { spansOf } from '../../src/ingest/fetch-span.ts'
import { importFiles } from '../../src/ingest/import-files.ts'
import { ingestSession } from '../../src/ingest/ingest.ts'
import { readDocumentsIn } from '../../src/ingest/read-documents.ts'
import { sourceFileFromBytes } from '../../src/ingest/source-file.ts'
import { sourceRegistry } from '../../src/ingest/source-registry.ts'
import { compactDay, hoursInMarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type DaySpan, daysIn } from '../../src/publishers/fetch-days.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Database } from '../../src/store/database.ts'
import { loadPriceLimits } from '../../src/store/price-limits.ts'
import { gmeXml, plainPrice } from '../support/gme-documents.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { type LocalServer, listenLocally } from '../support/local-server.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { type FreeMarketOffer, writeFreeMarketXml } from '../support/offer-files.ts'
import { runCommand } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { zipArchive } from '../support/zip-archive.ts'
import { atLeast, atMost, type BenchRow, median, timeOnce } from './bench.ts'
import type { OfferImport } from './offer-import-process.ts'
import { scratchDatabase } from './scratch.ts'

const ROUNDS = 5
const BARE_BATCH = 20_000
/** The embedded engine does not support COPY. */
const ON_SERVER = process.env.DATABASE_URL !== undefined
const FIRST_YEAR = 2010
const YEARS = 15

/**
 * Import of nineteen years of hours through the whole pipeline, compared with a bare INSERT … unnest of the same rows into the same table, and
 * with COPY; and fifteen years of all zones from a publisher's documents with one command.
 */
export async function importRate(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await using notDurable = await scratchDatabase({ durable: false })
  const file = await longHistoryFile(scratch.folder)
  const rows = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

  const runInsert = async ({ sql }: Database) => {
    for (let i = 0; i < rows.length; i += BARE_BATCH) {
      const batch = rows.slice(i, i + BARE_BATCH)
      await sql`
        insert into price_intervals
          (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
        select 'nazionale', r.starts_at, 60, r.day, r.ordinal, r.price, 'gme-mgp', now(), now(), 1
        from unnest(
          ${batch.map((row) => row[2] as string)}::timestamptz[], ${batch.map((row) => row[0] as string)}::date[],
          ${batch.map((row) => Number(row[1]))}::smallint[], ${batch.map((row) => Number(row[3]))}::float8[]
        ) as r (starts_at, day, ordinal, price)`
    }
  }
  const runCopy = async ({ sql }: Database) => {
    const into = await sql`
      copy price_intervals
        (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
      from stdin (format csv)`.writable()
    const lines = rows.map(
      (row) => `nazionale,${row[2]},60,${row[0]},${row[1]},${row[3]},gme-mgp,${row[2]},${row[2]},1\n`,
    )
    await pipeline(lines, into)
  }
  const fullImport = (database: Database) => importFiles({ database, clock: makeClock(), paths: [file] })
  const timeOnEmpty = async (database: Database, run: (database: Database) => Promise<unknown>) => {
    await database.sql`truncate price_intervals, price_interval_revisions`
    return timeOnce(() => run(database))
  }

  const bareMs: number[] = []
  const fullMs: number[] = []
  const copyMs: number[] = []
  const notDurableMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareMs.push(await timeOnEmpty(scratch.database, runInsert))
    if (ON_SERVER) copyMs.push(await timeOnEmpty(scratch.database, runCopy))
    fullMs.push(await timeOnEmpty(scratch.database, fullImport))
    notDurableMs.push(await timeOnEmpty(notDurable.database, fullImport))
  }
  const rate = (ms: number[]) => Math.round(rows.length / (median(ms) / 1000))
  const years = await importYears()
  return [
    years,
    atLeast(0.85, 'ratio', median(bareMs.map((ms, round) => ms / (fullMs[round] as number))), {
      name: 'import: rows a second against a bare insert',
      details: `${rows.length} hours, ${rate(fullMs)} rows/s through parser, gate and revisions; bare insert ${rate(bareMs)}, ${ON_SERVER ? `COPY ${rate(copyMs)}` : 'COPY needs a server'}`,
    }),
    atLeast(0.8, 'ratio', median(notDurableMs.map((ms, round) => ms / (fullMs[round] as number))), {
      name: 'import: EMBEDDED_DURABILITY on against off',
      details: `${rate(fullMs)} rows/s on, ${rate(notDurableMs)} rows/s off`,
    }),
  ]
}

/** `npm run import` into a new folder, including the aggregates: one document per day, one archive per year. */
async function importYears(): Promise<BenchRow> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  await mkdir(path.join(folder, 'files'))
  for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year++) {
    const documents = []
    for (let day = Temporal.PlainDate.from({ year, month: 1, day: 1 }); day.year === year; day = day.add({ days: 1 }))
      documents.push({ name: `${day.toString().replaceAll('-', '')}MGPPrezzi.xml`, content: gmeXml({ day }) })
    await writeFile(path.join(folder, 'files', `${year}.zip`), zipArchive(documents))
  }
  const env = { DATA_DIR: path.join(folder, 'data') }
  const ms = await timeOnce(() => runCommand(env, 'import.ts', path.join(folder, 'files')))
  return atMost(60, 's', ms / 1000, {
    name: 'import: fifteen years of hours of eight zones, one command',
    details: `${YEARS} archives of daily documents into a new folder, aggregates included`,
  })
}

const DAYS = 21
const FIRST = Temporal.PlainDate.from('2026-10-12')
const INTERVALS = 8 * 96

/** One market day of all zones in quarter-hours, from the publisher's bytes to refreshed aggregates, as on a poll. */
export async function marketDay(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const limits = await loadPriceLimits(scratch.database.sql)
  const bodies = Array.from({ length: DAYS }, (_, n) => {
    const day = FIRST.add({ days: n })
    const name = `${day.toString().replaceAll('-', '')}MGPPrezzi15.xml`
    return zipArchive([{ name, content: gmeXml({ day, resolution: 15 }) }])
  })
  const ingestDay = async (bytes: Buffer, n: number) => {
    await using file = await sourceFileFromBytes('MGPPrezzi.zip', bytes)
    const session = ingestSession({ sql, clock: makeClock(), limits, source: 'gme-mgp', emitEvents: true })
    for await (const document of readDocumentsIn(file)) {
      const { sha256, bytes: size } = document
      const origin = { sha256, address: `bench:${n}`, bytes: size, fetchedAt: Temporal.Now.instant() }
      for await (const item of document.parsed) await session.add(item, origin)
    }
    const summary = await session.finish()
    if (summary.stored === 0) throw new Error('the bench stored nothing')
    await refreshAggregates(sql)
  }

  const durations: number[] = []
  for (const [n, bytes] of bodies.entries()) durations.push(await timeOnce(() => ingestDay(bytes, n)))
  // Excludes the first day: unlike polls, it meets an empty database and cold code.
  const [, ...warm] = durations
  return [
    atMost(0.5, 's', median(warm) / 1000, {
      name: 'a market day of 8 zones in quarter-hours, bytes to aggregates',
      details: `${INTERVALS} intervals, longest of ${warm.length} days ${Math.round(Math.max(...warm))} ms`,
    }),
  ]
}

const OFFERS = 30_000
/** Three descriptions of this length give 5.5 kB per offer, as in the portal's files. */
const DESCRIPTION = 'Condizioni economiche dell’offerta, valide per chi aderisce entro la data indicata. '.repeat(12)
const MIB = 1024 * 1024

/** A day's list of 30,000 free-market offers through the whole pipeline, twice: all new, then one in twenty changed. */
export async function offerImport(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const runs: OfferImport[] = []
  let bytes = 0
  for (const day of ['20260201', '20260202']) {
    const file = path.join(scratch.folder, `PO_Offerte_E_MLIBERO_${day}.xml`)
    await writeFreeMarketXml(file, offersOn(day))
    bytes = (await stat(file)).size
    runs.push(await importInProcess(scratch.url, file))
  }
  const [first, second] = runs
  if (first?.added !== OFFERS || second?.changed !== OFFERS / 20)
    throw new Error(`imported otherwise: ${JSON.stringify(runs)}`)
  const seconds = runs.map((run) => run.seconds)
  const of = `${OFFERS} offers, ${Math.round(bytes / MIB)} MiB`
  return [
    atMost(20, 's', Math.max(...seconds), {
      name: "import: a day's list of 30,000 offers",
      details: `${of}: all new ${seconds[0]?.toFixed(1)} s, 5 % changed ${seconds[1]?.toFixed(1)} s`,
    }),
    atMost(300, 'MB', Math.max(...runs.map((run) => run.peakBytes)) / MIB, {
      name: 'import: largest memory of that',
      details: 'resident memory of a separate process, database included',
    }),
  ]
}

function* offersOn(day: string): Generator<FreeMarketOffer> {
  for (let i = 0; i < OFFERS; i++) {
    const cents = (i % 100) + (day.endsWith('02') && i % 20 === 0 ? 1 : 0)
    const price = i % 2 === 0 ? (0.1 + cents / 1000).toFixed(4) : (0.005 + cents / 10_000).toFixed(4)
    yield { code: `000999ESEMPIO${i}`, kind: i % 2 === 0 ? '01' : '02', price, description: DESCRIPTION }
  }
}

async function importInProcess(url: string, file: string): Promise<OfferImport> {
  const script = path.join(import.meta.dirname, 'offer-import-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, file])
  return JSON.parse(stdout) as OfferImport
}

const SPAN: DaySpan = { from: Temporal.PlainDate.from('2005-01-01'), to: Temporal.PlainDate.from('2024-12-31') }
const DAYS_PER_REQUEST = 10

/**
 * Twenty years of hourly prices of all zones fetched from a server on this machine in GME's real format, a ZIP of XML per ten days,
 * through the whole pipeline: request, unpacking, parser, gate, revisions, completeness records. Also checks that memory stays flat.
 */
export async function backfillRate(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { database } = scratch
  const days = [...daysIn(SPAN)]
  const archives = new Map(spansOf(days, DAYS_PER_REQUEST).map((span) => [compactDay(span.from), archiveOf(span)]))
  await using server = await serveArchives(archives)
  const config = readConfig({
    SOURCES: 'gme-mgp',
    GME_MGP_ADDRESS: server.baseUrl,
    GME_MGP_INTERVAL_MS: '0',
    GME_MGP_REQUESTS_PER_DAY: '100000',
  })
  const clock = makeClock()
  await using sources = sourceRegistry({ config, clock, sql: database.sql })
  const [fetcher] = sources.enabled
  if (fetcher === undefined) throw new Error('the source is off')

  const heaps: number[] = []
  const started = performance.now()
  const cpuBefore = process.cpuUsage()
  const summary = await backfill(
    { database, clock, sources, log: createLogger({ level: 'silent' }) },
    {
      fetcher,
      span: SPAN,
      again: false,
      signal: new AbortController().signal,
      onProgress({ daysDone, daysTotal }) {
        if (Math.floor((4 * daysDone) / daysTotal) > heaps.length) heaps.push(liveHeapBytes())
      },
    },
  )
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const expected = STORED_ZONES.length * days.reduce((sum, day) => sum + hoursInMarketDay(day), 0)
  if (summary.counts.stored !== expected || summary.missing.length > 0)
    throw new Error(`${summary.counts.stored} of ${expected} hours were stored: ${JSON.stringify(summary.stoppedBy)}`)
  const [first = 0, , , last = 0] = heaps
  return [
    atLeast(15_000, '1/s', expected / seconds, {
      name: 'backfill of 20 years of hours from a server: intervals a second',
      details: `${expected} hours in ${archives.size} requests, ${seconds.toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s of processor time on all cores`,
    }),
    atMost(1.2, 'ratio', last / first, {
      name: 'its live heap after 20 years against 5',
      details: `${heaps.map((bytes) => `${(bytes / MIB).toFixed(0)} MB`).join(', ')}`,
    }),
  ]
}

function archiveOf(span: DaySpan): Buffer {
  return zipArchive(
    [...daysIn(span)].map((day) => ({
      name: `${compactDay(day)}MGPPrezzi.xml`,
      content: gmeXml({ day, prices: plainPrice }),
    })),
  )
}

function serveArchives(archives: ReadonlyMap<string, Buffer>): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const from = new URL(request.url ?? '/', 'http://publisher').searchParams.get('DataInizio') ?? ''
    response.writeHead(200, { 'content-type': 'application/zip' }).end(archives.get(from))
  })
  return listenLocally(server)
}
