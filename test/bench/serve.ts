/** The app on a scratch database and a real socket as in production, with a key that is held back by nothing. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { openAccessControl } from '../../src/api/access/open-access-control.ts'
import { createLogger, logDestination } from '../../src/platform/log.ts'
import { createApp } from '../../src/service/app.ts'
import { insertApiKey } from '../../src/store/api-keys.ts'
import { dataVersion } from '../../src/store/data-version.ts'
import { ASKERS_AT_ONCE } from '../../src/store/database.ts'
import { forecastStore } from '../../src/store/forecasts.ts'
import { hourlyForecastStore } from '../../src/store/hourly-forecasts.ts'
import { offerIndexStore } from '../../src/store/offer-indices.ts'
import { priceStore } from '../../src/store/prices.ts'
import { sampleData } from '../../src/store/sample-data.ts'
import { sourceStatusStore } from '../../src/store/source-status.ts'
import { tradingStore } from '../../src/store/trading.ts'
import { zonePriceStore } from '../../src/store/zone-prices.ts'
import type { ScratchDatabase } from './scratch-database.ts'

const UNLIMITED = 1_000_000_000
/** As the service does: a key is remembered only as long as the version of the keys is fresh. */
const VERSION_POLL_MS = 1_000

export interface ServedDatabase extends AsyncDisposable {
  baseUrl: URL
  /** Of an Enterprise key. */
  headers: Record<string, string>
  /** Makes every cached answer stale. */
  raiseDataVersion(): void
}

export async function serve({ database }: ScratchDatabase, now: Temporal.Instant): Promise<ServedDatabase> {
  const { sql } = database
  const key = await issueKey(sql, now)
  const version = dataVersion(sql)
  await version.refresh()
  const stopping = new AbortController()
  version.follow({ everyMs: VERSION_POLL_MS, signal: stopping.signal, onError: console.error })
  let raised = 0
  const clock = { now: () => now }
  // Lines are formatted and written as in production, to nowhere.
  const log = createLogger({ level: 'info', destination: logDestination(devNull) })
  const access = await openAccessControl({
    config: {
      limits: {
        store: 'memory',
        openRequestsPerMinute: UNLIMITED,
        openRequestsPerDay: undefined,
        pageRequestsPerMinute: UNLIMITED,
      },
    },
    database: { sql },
    clock,
    dataVersion: version,
    log,
  })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const app = createApp({
    config: {
      baseUrl,
      trustedProxies: [],
      canonicalHost: false,
      environment: 'production',
      comingEndpoints: new Set(),
      computingAtOnce: ASKERS_AT_ONCE.engine,
    },
    clock,
    prices: priceStore(sql),
    zones: zonePriceStore(sql),
    offerIndices: offerIndexStore(sql),
    alerts: undefined,
    developerKeys: undefined,
    forecasts: forecastStore(sql),
    hourlyForecasts: hourlyForecastStore(sql),
    sourceStatus: sourceStatusStore(sql),
    sampleData: sampleData('auto', { sql, read: sql }),
    trading: tradingStore(sql),
    access,
    health: { ready: async () => ({ ready: true, checks: {} }) },
    queueDepths: async () => [],
    dataVersion: { current: () => version.current() + raised },
    log,
  })
  server.on('request', app)
  return {
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    raiseDataVersion: () => {
      raised += 1_000_000
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await access[Symbol.asyncDispose]()
    },
  }
}

async function issueKey(sql: ScratchDatabase['database']['sql'], now: Temporal.Instant): Promise<string> {
  const key = makeApiKey(randomBytes)
  await insertApiKey(sql, {
    id: 'key_benchmark000',
    sha256: hashApiKey(key),
    hint: apiKeyHint(key),
    plan: 'Enterprise',
    owner: 'benchmark',
    email: null,
    requestsPerMinute: UNLIMITED,
    requestsPerMonth: UNLIMITED,
    attribution: null,
    createdAt: now,
    rotatedFrom: null,
  })
  return key
}
