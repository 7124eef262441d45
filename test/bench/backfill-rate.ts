/**
 * Twenty years of hourly prices of all zones fetched from a server on this machine in GME's true form, a ZIP of XML for ten days at a
 * time, through the whole path: request, unpacking, parser, gate, revisions, notes of what is whole. And that its memory stays flat.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { backfill } from '../../src/ingest/backfill.ts'
import { sourceRegistry } from '../../src/ingest/source-registry.ts'
import { spansOf } from '../../src/ingest/spans.ts'
import { hoursInMarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { createLogger } from '../../src/platform/log.ts'
import type { DaySpan } from '../../src/publishers/fetch-days.ts'
import { daysIn } from '../../src/publishers/fetch-days.ts'
import { compactDay } from '../../src/publishers/reading/compact-day.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { gmeXml, plainPrice } from '../support/gme-documents.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { zipArchive } from '../support/zip-archive.ts'
import type { BenchRow } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const SPAN: DaySpan = { from: Temporal.PlainDate.from('2005-01-01'), to: Temporal.PlainDate.from('2024-12-31') }
const DAYS_PER_REQUEST = 10
const MIB = 1024 * 1024

export default async function backfillRate(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { database } = scratch
  const days = [...daysIn(SPAN)]
  const archives = new Map(spansOf(days, DAYS_PER_REQUEST).map((span) => [compactDay(span.from), archiveOf(span)]))
  await using server = await serveArchives(archives)
  const config = readConfig({
    SOURCES: 'gme-mgp',
    GME_MGP_ADDRESS: server.url,
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
    {
      name: 'backfill of 20 years of hours from a server: intervals a second',
      measured: expected / seconds,
      unit: '1/s',
      bound: { atLeast: 15_000 },
      details: `${expected} hours in ${archives.size} requests, ${seconds.toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s of processor time on all cores`,
    },
    {
      name: 'its live heap after 20 years against 5',
      measured: last / first,
      unit: 'ratio',
      bound: { atMost: 1.2 },
      details: `${heaps.map((bytes) => `${(bytes / MIB).toFixed(0)} MB`).join(', ')}`,
    },
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

async function serveArchives(archives: ReadonlyMap<string, Buffer>): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const from = new URL(request.url ?? '/', 'http://publisher').searchParams.get('DataInizio') ?? ''
    response.writeHead(200, { 'content-type': 'application/zip' }).end(archives.get(from))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
