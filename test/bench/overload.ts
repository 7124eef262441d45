/**
 * Twice as many requests as can be computed: how long those take that are let in, how soon the others are refused, and what becomes
 * of answers in the cache meanwhile. Everything against the same service when it is idle, in one run.
 */
import { STORED_ZONES } from '../../src/market/zones.ts'
import type { BenchRow } from './bench.ts'
import { fillZones } from './fill-zones.ts'
import { type Outcome, openLoad } from './open-load.ts'
import { scratchDatabase } from './scratch-database.ts'
import { serve } from './serve.ts'

const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const LAST_DAY = Temporal.PlainDate.from('2025-12-31')
const FIRST_DAY = Temporal.PlainDate.from('2023-01-01')
const IDLE_PER_SECOND = 10
const SECONDS = 10
/** A queue has to stand for half a second before anybody is refused. */
const SETTLED_MS = 1_000
const CACHED_PER_SECOND = 100
const CONTRACT_ZONES = STORED_ZONES.filter((zone) => zone !== 'cala')

export default async function overload(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await fillZones(scratch, { from: FIRST_DAY, to: LAST_DAY, resolutionMinutes: 60 })
  await using service = await serve(scratch, NOW)
  const { headers } = service
  const fresh = freshAddresses(service.baseUrl)
  const take = (count: number) => Array.from({ length: Math.ceil(count) }, () => fresh.next().value as string)
  const computed = (perSecond: number, seconds: number) =>
    openLoad({ urls: take(perSecond * seconds), headers, perSecond, seconds })
  const cached = (seconds: number) =>
    openLoad({
      urls: [new URL('/v1/pun/hourly?zone=nord&from=2025-12-01&to=2025-12-07', service.baseUrl).href],
      headers,
      perSecond: CACHED_PER_SECOND,
      seconds,
    })

  await computed(20, 2)
  const idle = await computed(IDLE_PER_SECOND, SECONDS)
  const idleCached = await cached(3)
  const capacity = await measureCapacity(take, headers)
  const [busy, busyCached] = await Promise.all([computed(Math.ceil(2 * capacity), SECONDS), cached(SECONDS)])

  const settled = busy.filter(({ atMs }) => atMs > SETTLED_MS)
  const admitted = settled.filter(({ status }) => status === 200)
  const refused = settled.filter(({ status }) => status === 503)
  const other = [...busy, ...busyCached].filter(({ status }) => status !== 200 && status !== 503).length
  const rate = admitted.length / (SECONDS - SETTLED_MS / 1000)
  return [
    {
      name: 'overload: p99 of admitted requests at twice the capacity, against idle',
      measured: p99(admitted) / p99(idle),
      unit: 'ratio',
      bound: { atMost: 3 },
      details: `${p99(admitted).toFixed(1)} ms against ${p99(idle).toFixed(1)} ms; capacity ${capacity.toFixed(0)}/s`,
    },
    {
      name: 'overload: answers computed a second, against the capacity',
      measured: rate / capacity,
      unit: 'ratio',
      bound: { atLeast: 0.7 },
      details: `${rate.toFixed(0)}/s of ${(2 * capacity).toFixed(0)}/s asked for, ${refused.length} refused`,
    },
    {
      name: 'overload: p99 of a refusal',
      measured: p99(refused),
      unit: 'ms',
      bound: { atMost: 100 },
      details: `status 503 with Retry-After; ${other} requests had another end`,
    },
    {
      name: 'overload: p99 of an answer in the cache',
      measured: p99(busyCached),
      unit: 'ms',
      bound: { atMost: 50 },
      details: `${p99(idleCached).toFixed(1)} ms when idle; ${busyCached.filter(({ status }) => status !== 200).length} not answered`,
    },
  ]
}

/** Answers a second with a handful of callers, each of whom waits for its answer. */
async function measureCapacity(take: (count: number) => string[], headers: Record<string, string>): Promise<number> {
  const ends = performance.now() + 3_000
  let answered = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < ends) {
        const [url] = take(1)
        const answer = await fetch(url as string, { headers })
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
        answered += 1
      }
    }),
  )
  return answered / 3
}

/** Spans of hours of a zone that nobody has asked for yet, so that no answer is in the cache. */
function* freshAddresses(baseUrl: URL): Generator<string, never> {
  for (;;) {
    for (let length = 30; length > 20; length -= 1) {
      for (let from = FIRST_DAY; from.until(LAST_DAY).days > length; from = from.add({ days: 1 })) {
        for (const zone of CONTRACT_ZONES) {
          const query = new URLSearchParams({ zone, from: String(from), to: String(from.add({ days: length })) })
          yield new URL(`/v1/pun/hourly?${query}`, baseUrl).href
        }
      }
    }
  }
}

function p99(outcomes: Outcome[]): number {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
}
