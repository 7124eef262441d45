/**
 * A service without a database, for tests of the HTTP mechanics: the price store contains the test's data. Other tests cover the code
 * behind the interface on the real database.
 */
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AccessControl } from '../../src/api/access/access-control.ts'
import type { Endpoint } from '../../src/api/http/endpoint.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import type { HttpConfig, Service } from '../../src/api/http/service.ts'
import { changeFeed } from '../../src/delivery/changes/change-feed.ts'
import type { AssetCode } from '../../src/market/assets.ts'
import type { Logger } from '../../src/platform/log.ts'
import { createApp } from '../../src/service/app.ts'
import type { ChangeStore } from '../../src/store/changes.ts'
import type { ForecastStore, HourlyForecastStore } from '../../src/store/forecasts.ts'
import type { DailyHistory, DailyObservation, PriceStore } from '../../src/store/prices.ts'
import type { TradingStore } from '../../src/store/trading.ts'
import type { ZonePriceStore } from '../../src/store/zone-prices.ts'

import { testAccess } from './access.ts'
import { listenLocally } from './local-server.ts'
import { recordedLog } from './recorded-log.ts'

const NO_CHANGES: ChangeStore = {
  log: async () => ({ id: '00000000', position: 0, readable: 0, removed: 0 }),
  after: async (position) => ({ log: await NO_CHANGES.log(), changes: [], next: position }),
}

function fail(err: unknown): never {
  throw err
}

export interface StubPrice {
  asset: AssetCode
  day: string
  price: number
  sourceIds?: string[]
}

export interface StubService {
  /** Base URL without a trailing slash. */
  baseUrl: string
  /** The log so far, one object per line. */
  logLines(): Record<string, unknown>[]
  /** How often the price store was read. */
  readCount(): number
  /** Replaces the stored prices and raises the data version, as an ingest does. */
  publish(prices: StubPrice[]): void
  setNow(instant: string): void
  failWith(err: Error | undefined): void
  setReady(ready: boolean): void
  setFilling(filling: boolean): void
  stop(): Promise<void>
}

export interface StubOptions {
  now?: string
  prices?: StubPrice[]
  config?: Partial<HttpConfig>
  registry?: readonly Endpoint[]
  access?: AccessControl
  /** Replaces the logger behind `logLines`. */
  log?: Logger
}

export async function startStubService(options: StubOptions = {}): Promise<StubService> {
  const { log, lines: logLines } = recordedLog()
  const state = {
    now: Temporal.Instant.from(options.now ?? '2026-11-21T10:00:00Z'),
    prices: options.prices ?? [],
    failure: undefined as Error | undefined,
    version: 1,
    filling: false,
    reads: 0,
    ready: true,
  }
  const server = httpServer()
  const { baseUrl, [Symbol.asyncDispose]: dispose } = await listenLocally(server)
  const service: Service = {
    config: {
      baseUrl: new URL(baseUrl),
      trustedProxies: [],
      canonicalHost: false,
      environment: 'test',
      comingEndpoints: new Set(),
      computingAtOnce: 64,
      alertsPerKeyMax: 100,
      ...options.config,
    },
    clock: { now: () => state.now },
    prices: stubStore(state),
    zones: NO_ZONES,
    offerIndices: { latestCells: async () => [], lastFullMonth: async () => undefined },
    webhooks: undefined,
    alertLinks: undefined,
    developerKeys: undefined,
    provenance: { documents: async () => [] },
    keys: { rotate: async () => undefined },
    trading: NO_TRADING,
    sampleData: { enabled: async () => false, end: async () => undefined },
    fundamentals: { list: async () => [], values: async () => ({ values: [], sourceIds: [] }) },
    markets: {
      prices: async () => ({ prices: [], sourceIds: [] }),
      latestDay: async () => undefined,
      spreads: async () => [],
    },
    sourceStatus: {
      list: async () => [],
      lateDays: async () => [],
      listFetching: async () => [],
      completeness: async () => [],
    },
    forecasts: NO_FORECASTS,
    changes: changeFeed({ store: NO_CHANGES, everyMs: 1_000, beforeNotifying: async () => {}, onError: fail }),
    hourlyForecasts: NO_HOURLY_FORECASTS,
    access: options.access ?? testAccess(),
    health: {
      filling: () => state.filling,
      ready: async () => ({ ready: state.ready, checks: { database: state.ready ? 'ok' : 'stopping' } }),
    },
    usageMonths: async () => [],
    alertDays: async () => [],
    dataVersion: { current: () => state.version },
    log: options.log ?? log,
  }
  serveRequests(server, createApp(service, options.registry), { baseUrl: service.config.baseUrl, log: service.log })
  return {
    baseUrl,
    logLines,
    readCount: () => state.reads,
    publish(prices) {
      state.prices = prices
      state.version++
    },
    setNow: (instant) => {
      state.now = Temporal.Instant.from(instant)
    },
    failWith: (err) => {
      state.failure = err
    },
    setFilling: (filling) => {
      state.filling = filling
    },
    setReady: (ready) => {
      state.ready = ready
    },
    stop: async () => dispose(),
  }
}

const NO_TRADING: TradingStore = {
  vitals: () => Promise.reject(new Error('the stub has no trading indicators')),
  latestVitalsDay: async () => undefined,
  correlations: async () => undefined,
}

const NO_ZONES: ZonePriceStore = {
  zone: async () => ({ name: 'Italy (PUN)', validFrom: '2004-04-01' }),
  intervals: async () => ({ days: [], stats: undefined, sourceIds: [] }),
  spreads: async () => undefined,
  spreadYears: async () => [],
  latestDay: async () => undefined,
  firstDay: async () => undefined,
  holidays: async () => [],
  list: async () => [],
  bands: async () => ({ months: [], sourceIds: [] }),
  daily: async () => ({ points: [], sourceIds: [] }),
}

const NO_FORECASTS: ForecastStore = {
  latestIssue: async () => undefined,
  replayedIssue: async () => undefined,
  trainings: async () => [],
  records: async () => [],
  errors: async () => undefined,
  head: async () => undefined,
  dayHashes: async () => [],
  ofDay: async () => [],
  issuedFrom: async () => [],
  scored: async () => [],
  missing: async () => undefined,
}

const NO_HOURLY_FORECASTS: HourlyForecastStore = {
  latestIssue: async () => undefined,
  replayedIssue: async () => undefined,
  records: async () => [],
  errors: async () => undefined,
  head: async () => undefined,
  dayHashes: async () => [],
  scored: async () => [],
  quarterShape: async () => undefined,
  missing: async () => undefined,
}

function stubStore(state: { prices: StubPrice[]; failure: Error | undefined; reads: number }): PriceStore {
  const between = (asset: AssetCode, first: Temporal.PlainDate, last: Temporal.PlainDate) => {
    state.reads++
    if (state.failure) throw state.failure
    return state.prices
      .filter((price) => price.asset === asset && price.day >= first.toString() && price.day <= last.toString())
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  }
  return {
    async latest(asset, { notBefore, notAfter }) {
      const found = between(asset, notBefore, notAfter).at(-1)
      return found && observationOf(found)
    },
    async span(asset, { notBefore, notAfter }) {
      const found = between(asset, notBefore, notAfter)
      const [first, last] = [found.at(0), found.at(-1)]
      return first && last && { from: first.day, to: last.day }
    },
    async series(asset, { from, to }) {
      const found = between(asset, from, to)
      const prices = found.map((one) => one.price)
      const sum = prices.reduce((total, price) => total + price, 0)
      return {
        ...historyOf(found),
        stats:
          found.length === 0
            ? undefined
            : { min: Math.min(...prices), max: Math.max(...prices), avg: sum / found.length },
      }
    },
    history: async (asset, { from, to }) => historyOf(between(asset, from, to)),
    corrections: async () => [],
  }
}

function historyOf(found: StubPrice[]): DailyHistory {
  return {
    points: found.map(({ day, price }) => ({ date: day, price })),
    sourceIds: [...new Set(found.flatMap((one) => one.sourceIds ?? ['sample']))],
  }
}

function observationOf({ asset, day, price, sourceIds = ['sample'] }: StubPrice): DailyObservation {
  return { asset, day, price, sourceIds, observedAt: Temporal.Instant.from(`${day}T11:55:00.250Z`) }
}

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A request at protocol level: any method, target and Host, no redirects followed, no decompression. */
export async function rawRequest(
  baseUrl: string,
  target: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  const req = httpRequest({
    hostname,
    port,
    path: target,
    method: options.method ?? 'GET',
    headers: options.headers ?? {},
  })
  req.end(options.body)
  const [res] = await once(req, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(chunk)
  return { status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks) }
}
