/**
 * A month of hours of a zone, uncached, with fifteen years of eight zones loaded; and how its median grows from one year of data to
 * fifteen. Also the keyed series, warm: key check, limit, quota and cache against a bare route.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import { createApp } from '../../src/app.ts'
import { STORED_ZONES } from '../../src/contract/zones.ts'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../src/domain/api-key.ts'
import { hoursInMarketDay } from '../../src/domain/market-day.ts'
import { openAccessControl } from '../../src/limits/open-access-control.ts'
import { createLogger, logDestination } from '../../src/log.ts'
import type { ZoneDay } from '../../src/sources/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { insertApiKey } from '../../src/store/api-keys.ts'
import { dataVersion } from '../../src/store/data-version.ts'
import { priceStore } from '../../src/store/prices.ts'
import { sourceStatusStore } from '../../src/store/source-status.ts'
import { zonePriceStore } from '../../src/store/zone-prices.ts'
import { storePrices } from '../support/prices.ts'
import { againstBareRoute } from './against-bare-route.ts'
import { type BenchRow, median } from './bench.ts'
import { type ScratchDatabase, scratchDatabase } from './scratch-database.ts'

const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const LAST_DAY = Temporal.PlainDate.from('2025-12-31')
const YEARS = 15
const REQUESTS = 60
const DAYS_PER_DOCUMENT = 30

export default async function hourly(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const firstOfLastYear = LAST_DAY.subtract({ years: 1 }).add({ days: 1 })
  await fill(scratch, firstOfLastYear, LAST_DAY)
  await using service = await serve(scratch)
  const small = await service.askMonths()
  await fill(scratch, LAST_DAY.subtract({ years: YEARS }).add({ days: 1 }), firstOfLastYear.subtract({ days: 1 }))
  const large = await service.askMonths()
  const p95 = large.toSorted((a, b) => a - b)[Math.floor(large.length * 0.95)] ?? Number.NaN
  return [
    {
      name: 'hours of a month, uncached: p95',
      measured: p95,
      unit: 'ms',
      bound: { atMost: 50 },
      details: `${REQUESTS} requests over HTTP, ${YEARS} years of ${STORED_ZONES.length} zones`,
    },
    {
      name: `hours of a month, uncached: median with ${YEARS} years against 1`,
      measured: median(large) / median(small),
      unit: 'ratio',
      bound: { atMost: 1.3 },
      details: `${median(large).toFixed(1)} ms against ${median(small).toFixed(1)} ms`,
    },
    ...(await againstBareRoute({
      name: 'keyed series of 30 days, warm',
      url: service.seriesUrl,
      headers: service.headers,
      rateAtLeast: 0.6,
    })),
  ]
}

/** Whole days of every zone, priced by a formula: only their number matters here. */
async function fill({ database }: ScratchDatabase, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<void> {
  let days: ZoneDay[] = []
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    const hours = hoursInMarketDay(day)
    for (const [i, zone] of STORED_ZONES.entries()) {
      const prices = Array.from({ length: hours }, (_, hour) => 60 + i + ((hour * 7 + day.dayOfYear) % 50))
      days.push({ kind: 'zone-day', zone, day, resolutionMinutes: 60, prices, faults: [] })
    }
    if (days.length >= DAYS_PER_DOCUMENT * STORED_ZONES.length) {
      await storePrices(database.sql, days)
      days = []
    }
  }
  if (days.length > 0) await storePrices(database.sql, days)
  await refreshAggregates(database.sql)
  await database.sql`analyze`
}

async function serve({ database }: ScratchDatabase) {
  const { sql } = database
  const key = makeApiKey(randomBytes)
  await insertApiKey(sql, {
    id: 'key_benchmark000',
    sha256: hashApiKey(key),
    hint: apiKeyHint(key),
    plan: 'Enterprise',
    owner: 'benchmark',
    email: null,
    requestsPerMinute: 1_000_000_000,
    requestsPerMonth: 1_000_000_000,
    attribution: null,
    createdAt: NOW,
    rotatedFrom: null,
  })
  const version = dataVersion(sql)
  await version.refresh()
  const stopping = new AbortController()
  version.follow({ everyMs: 1_000, signal: stopping.signal, onError: console.error })
  // Raised between requests, so that no answer comes from the cache.
  let raised = 0
  const log = createLogger({ level: 'info', destination: logDestination(devNull) })
  const access = await openAccessControl({
    config: { limits: { store: 'memory', openRequestsPerMinute: 60, openRequestsPerDay: undefined } },
    database: { sql },
    clock: { now: () => NOW },
    dataVersion: version,
    log,
  })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.on(
    'request',
    createApp({
      config: {
        baseUrl,
        trustedProxies: [],
        canonicalHost: false,
        environment: 'production',
        comingEndpoints: new Set(),
      },
      clock: { now: () => NOW },
      prices: priceStore(sql),
      zones: zonePriceStore(sql),
      sourceStatus: sourceStatusStore(sql),
      access,
      health: { ready: async () => ({ ready: true, checks: {} }) },
      dataVersion: { current: () => version.current() + raised },
      log,
    }),
  )
  const headers = { Authorization: `Bearer ${key}` }
  return {
    headers,
    seriesUrl: new URL('/v1/prices/pun/series?from=2025-12-01&to=2025-12-31', baseUrl).href,
    /** Milliseconds of each of many requests for a month of hours, over different zones and months. */
    async askMonths(): Promise<number[]> {
      const durations: number[] = []
      for (let i = 0; i < REQUESTS; i++) {
        raised += 1_000_000
        const from = Temporal.PlainDate.from({ year: LAST_DAY.year, month: (i % 12) + 1, day: 1 })
        const zone = ['nazionale', 'nord', 'sici'][i % 3]
        const url = new URL(`/v1/pun/hourly?zone=${zone}&from=${from}&to=${from.add({ days: 30 })}`, baseUrl)
        const started = performance.now()
        const answer = await fetch(url, { headers })
        await answer.text()
        durations.push(performance.now() - started)
        if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
      }
      return durations.slice(REQUESTS / 10)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await access[Symbol.asyncDispose]()
    },
  }
}
