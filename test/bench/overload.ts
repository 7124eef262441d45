/**
 * Load at twice the capacity: latency of admitted requests, speed of rejections, and latency of cached responses meanwhile, compared
 * with the same service when idle, in one run. Then a burst with a cold cache.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { atLeast, atMost, type BenchRow, percentile } from './bench.ts'
import { type Outcome, openLoad } from './open-load.ts'
import { fillZones, scratchDatabase, serve } from './scratch.ts'

const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const LAST_DAY = Temporal.PlainDate.from('2025-12-31')
const FIRST_DAY = Temporal.PlainDate.from('2023-01-01')
const IDLE_PER_SECOND = 10
const SECONDS = 10
/** At twice the capacity, the oldest queued request has waited one second after two seconds; the whole queue is then rejected at once. */
const SETTLE_MS = 3_000
/** Pause after an overload. */
const RECOVERY_MS = 1_500
const CACHED_PER_SECOND = 100
const BURST = 200
const PAGES = ['en', 'it'].flatMap((language) => [`/${language}/`, `/${language}/prices/pun`, `/${language}/status`])
const BURST_SENT_WITHIN_S = 0.01
const CONTRACT_ZONES = STORED_ZONES.filter((zone) => zone !== 'cala')

export async function overload(): Promise<BenchRow[]> {
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
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const [busy, busyCached] = await Promise.all([computed(Math.ceil(2 * capacity), SECONDS), cached(SECONDS)])
  loop.disable()
  await setTimeout(RECOVERY_MS)
  const burst = await openLoad({
    urls: mixedAddresses(service.baseUrl, take(BURST / 2)),
    headers,
    perSecond: BURST / BURST_SENT_WITHIN_S,
    seconds: BURST_SENT_WITHIN_S,
  })
  const clients = `the clients sent ${p99([...busy, ...busyCached], 'lateMs').toFixed(1)} ms late (p99)`

  const isSettled = ({ atMs }: Outcome) => atMs > SETTLE_MS
  const settled = busy.filter(isSettled)
  const admitted = settled.filter(({ status }) => status === 200)
  const refused = settled.filter(({ status }) => status === 503)
  const refusedBefore = busy.filter(({ atMs, status }) => atMs <= SETTLE_MS && status === 503)
  const other = [...busy, ...busyCached].filter(({ status }) => status !== 200 && status !== 503).length
  const rate = admitted.length / (SECONDS - SETTLE_MS / 1000)
  return [
    atMost(3, 'ratio', p99(admitted) / p99(idle), {
      name: 'overload: p99 of admitted requests at twice the capacity, against idle',
      details: `${p99(admitted).toFixed(1)} ms against ${p99(idle).toFixed(1)} ms; capacity ${capacity.toFixed(0)}/s`,
    }),
    atLeast(0.7, 'ratio', rate / capacity, {
      name: 'overload: answers computed a second, against the capacity',
      details: `${rate.toFixed(0)}/s of ${(2 * capacity).toFixed(0)}/s asked for, ${refused.length} refused`,
    }),
    atMost(50, 'ms', p99(refused), {
      name: 'overload: p99 of a refusal',
      details: `status 503 with Retry-After; before that ${refusedBefore.length}, p99 ${p99(refusedBefore).toFixed(0)} ms; ${other} requests had another end; the service's loop was held up for ${(loop.percentile(99) / 1e6).toFixed(1)} ms (p99), ${clients}`,
    }),
    atMost(20, 'ms', p99(busyCached.filter(isSettled)), {
      name: 'overload: p99 of an answer in the cache',
      details: `${p99(idleCached).toFixed(1)} ms when idle; ${busyCached.filter(({ status }) => status !== 200).length} not answered`,
    }),
    atLeast(1, 'ratio', burst.filter(({ status }) => status === 200).length / burst.length, {
      name: `overload: ${BURST} parallel requests of all kinds from a cold cache, answered with 200`,
      details: `all within ${Math.max(...burst.map(({ ms }) => ms)).toFixed(0)} ms`,
    }),
  ]
}

/** Hours, daily series, zones and pages, in turn. */
function mixedAddresses(baseUrl: URL, hours: string[]): string[] {
  return hours.flatMap((url, i) => {
    const from = FIRST_DAY.add({ days: i })
    const others = [
      `/v1/prices/pun/series?from=${from}&to=${from.add({ days: 90 })}`,
      `/v1/pun/zones?date=${from}`,
      PAGES[Math.floor(i / 3) % PAGES.length],
    ]
    return [url, new URL(others[i % others.length] as string, baseUrl).href]
  })
}

/** Responses per second with four sequential clients. */
async function measureCapacity(
  nextUrls: (count: number) => string[],
  headers: Record<string, string>,
): Promise<number> {
  const ends = performance.now() + 3_000
  let answered = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < ends) {
        const [url] = nextUrls(1)
        const answer = await fetch(url as string, { headers })
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
        answered += 1
      }
    }),
  )
  return answered / 3
}

/** Intervals of hourly zone prices that were never requested before, so that no response is cached. */
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

function p99(outcomes: Outcome[], what: 'ms' | 'lateMs' = 'ms'): number {
  return percentile(
    outcomes.map((outcome) => outcome[what]),
    0.99,
  )
}
