/**
 * Event streams: 5,000 of them on one process, whose clients are another. What they cost in memory, and how long it takes from a document,
 * a market day of all zones in quarter-hours, to the event at the clients: stored, aggregates refreshed, read by the feed, sent.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { type BenchRow, median } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'
import { serve } from './serve.ts'

const STREAMS = 5_000
const STREAMS_PER_KEY = 200
const DOCUMENTS = 20
const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')
const MB = 1024 * 1024

export default async function stream(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const keys = await Promise.all(
    Array.from({ length: STREAMS / STREAMS_PER_KEY }, async () => (await seedApiKey(sql, { plan: 'Enterprise' })).key),
  )
  await using served = await serve(scratch, NOW)
  await publish(sql, 0) // what is compiled and cached once
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
    arrivals.sort((a, b) => a - b)
    const p95 = arrivals[Math.floor(arrivals.length * 0.95)] ?? Number.NaN
    return [
      {
        name: `document in to the event at ${STREAMS} clients: p95`,
        measured: p95 / 1_000,
        unit: 's',
        bound: { atMost: 1 },
        details: `${DOCUMENTS} documents, ${arrivals.length} events; median ${median(arrivals)} ms, longest ${arrivals.at(-1)} ms`,
      },
      {
        name: `memory of ${STREAMS} streams`,
        measured: after.residentMb - before.residentMb,
        unit: 'MB',
        bound: { atMost: 150 },
        details: `resident; live heap ${(after.heapMb - before.heapMb).toFixed(0)} MB`,
      },
    ]
  } finally {
    clients.kill()
  }
}

function memory() {
  const heapMb = liveHeapBytes() / MB
  return { heapMb, residentMb: process.memoryUsage.rss() / MB }
}

/** One market day of all zones, each day in the other's place. */
async function publish(sql: Parameters<typeof storePrices>[0], n: number): Promise<void> {
  const day = Temporal.PlainDate.from('2026-10-25').add({ days: n }).toString()
  await storePrices(
    sql,
    STORED_ZONES.map((zone) => zoneDay(zone, day, 15, (quarter) => 100 + quarter)),
    { at: NOW },
  )
  await refreshAggregates(sql)
}
