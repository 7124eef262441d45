/** Event streams, and streamed responses of the SQL endpoint. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { applyRoles } from '../../src/store/roles.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { startPlainServer } from '../support/plain-server.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { atMost, type BenchRow, median, percentile } from './bench.ts'
import { scratchDatabase, serve } from './scratch.ts'

const STREAMS = 5_000
const STREAMS_PER_KEY = 200
const DOCUMENTS = 20
const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')
const MB = 1024 * 1024

/**
 * 5,000 event streams on one process, with the clients in another. Measures memory, and the latency from a document (a market day of all
 * zones in quarter-hours) to the event at the clients: store, refresh the aggregates, read by the feed, send.
 */
export async function stream(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const keys = await Promise.all(
    Array.from({ length: STREAMS / STREAMS_PER_KEY }, async () => (await seedApiKey(sql, { plan: 'Enterprise' })).key),
  )
  await using served = await serve(scratch, NOW)
  await publish(sql, 0) // warm-up: one-time compilation and caches
  const before = memory()
  const clients = fork(new URL('./stream-clients.ts', import.meta.url), [served.baseUrl.href, String(STREAMS), ...keys])
  try {
    await once(clients, 'message')
    const after = memory()
    const arrivals: number[] = []
    for (let n = 1; n <= DOCUMENTS; n++) {
      const startedMs = Date.now()
      const arrived = once(clients, 'message') as Promise<[number[]]>
      await publish(sql, n)
      arrivals.push(...(await arrived)[0].map((ms) => ms - startedMs))
    }
    const p95 = percentile(arrivals, 0.95)
    return [
      atMost(1, 's', p95 / 1_000, {
        name: `document in to the event at ${STREAMS} clients: p95`,
        details: `${DOCUMENTS} documents, ${arrivals.length} events; median ${median(arrivals)} ms, longest ${Math.max(...arrivals)} ms`,
      }),
      atMost(150, 'MB', after.residentMb - before.residentMb, {
        name: `memory of ${STREAMS} streams`,
        details: `resident; live heap ${(after.heapMb - before.heapMb).toFixed(0)} MB`,
      }),
    ]
  } finally {
    clients.kill()
  }
}

function memory() {
  const heapMb = liveHeapBytes() / MB
  return { heapMb, residentMb: process.memoryUsage.rss() / MB }
}

/** Publishes one market day of all zones; each `n` is a new day. */
async function publish(sql: Parameters<typeof storePrices>[0], n: number): Promise<void> {
  const day = Temporal.PlainDate.from('2026-10-25').add({ days: n }).toString()
  await storePrices(
    sql,
    STORED_ZONES.map((zone) => zoneDay(zone, day, 15, (quarter) => 100 + quarter)),
    { at: NOW },
  )
  await refreshAggregates(sql)
}

const ROWS = 1_000_000
/** As many rows as a response without streaming can have. */
const BUFFERED_REQUESTS = { answers: 50, rows: 10_000 }
const SAMPLE_EVERY_MS = 50
/** Rows like prices: a text, an instant, a day and two numbers. */
const statement = (rows: number) => `
  select 'nord' as zone, timestamptz '2011-01-01' + n * interval '15 minutes' as starts_at, date '2011-01-01' + n / 96 as market_day,
    n % 96 as ordinal, n * 0.37::float8 as price_eur_mwh
  from generate_series(1, ${rows}) n`

/**
 * A million rows from `POST /v1/sql?stream=true` on a temporary PostgreSQL server: time, and memory of the API process beyond its level
 * after ordinary responses, since V8 collects their garbage at unpredictable times.
 */
export async function sqlStream(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startPlainServer({ poolSize: 2 }))
  await applyRoles(server.database.sql)
  const { key } = await seedApiKey(server.database.sql, { plan: 'Trading' })
  const dataDir = await scratchFolder(stack)
  const url = server.superuserUrl
  const env = { NODE_ENV: 'production', ROLE: 'api', MIGRATIONS: 'check', DATABASE_URL: url, ANALYST_DATABASE_URL: url }
  const product = await startProduct({ dataDir, env })
  stack.defer(async () => void (await endProcess(product.process, 'SIGTERM')))
  const rows: BenchRow[] = []
  for (const format of ['csv', 'arrow']) {
    for (let i = 0; i < BUFFERED_REQUESTS.answers; i++)
      await download(product, key, `format=${format}`, BUFFERED_REQUESTS.rows)
    const before = await residentMb(product.pid)
    const { mostMb, bytes, seconds } = await download(product, key, `format=${format}&stream=true`, ROWS)
    rows.push(
      atMost(100, 'MB', mostMb - before, {
        name: `POST /sql: a million rows as ${format}, memory beyond`,
        details: `${before.toFixed(0)} MB before; ${(bytes / 1e6).toFixed(0)} MB sent in ${seconds.toFixed(1)} s`,
      }),
    )
  }
  return rows
}

async function download({ url, pid }: Product, key: string, query: string, rows: number) {
  const began = performance.now()
  const answer = await fetch(new URL(`/v1/sql?${query}`, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: statement(rows) }),
  })
  if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`)
  let [bytes, mostMb] = [0, 0]
  const watch = setInterval(async () => {
    mostMb = Math.max(mostMb, await residentMb(pid))
  }, SAMPLE_EVERY_MS)
  try {
    for await (const chunk of answer.body) bytes += chunk.length
  } finally {
    clearInterval(watch)
  }
  return { bytes, mostMb, seconds: (performance.now() - began) / 1000 }
}
