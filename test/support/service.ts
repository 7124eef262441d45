/** The app in process on a real database and a clock that stands still; every answer is checked against the OpenAPI document. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { openAccessControl } from '../../src/api/access/open-access-control.ts'
import { SQL_PATH } from '../../src/api/contract/analyst-sql.ts'
import type { BulkDataset, BulkFormat } from '../../src/api/contract/bulk.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import type { HttpConfig } from '../../src/api/http/service.ts'
import { developerKeyService } from '../../src/api/keys/developer-key-service.ts'
import { type AlertServiceOptions, alertService } from '../../src/delivery/alerts/alert-service.ts'
import { secretBox } from '../../src/delivery/alerts/secret-box.ts'
import { bulkExportService } from '../../src/delivery/bulk/bulk-export-service.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { publishExport } from '../../src/delivery/bulk/publish-export.ts'
import { signedAddresses } from '../../src/delivery/bulk/signed-addresses.ts'
import { addressRules } from '../../src/platform/egress/address-rules.ts'
import { createLogger } from '../../src/platform/log.ts'
import type { QueueDepth } from '../../src/platform/queue/queue.ts'
import { SECRETS_KEY_BYTES, Secret } from '../../src/platform/secret.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import { createApp } from '../../src/service/app.ts'
import type { Config } from '../../src/service/config/config.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { analystSql } from '../../src/store/analyst-sql.ts'
import {
  findApiKey,
  insertApiKey,
  type KeyedPlan,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../src/store/api-keys.ts'
import { dataVersion } from '../../src/store/data-version.ts'
import type { Database, Sql } from '../../src/store/database.ts'
import { forecastStore } from '../../src/store/forecasts.ts'
import { hourlyForecastStore } from '../../src/store/hourly-forecasts.ts'
import { offerIndexStore } from '../../src/store/offer-indices.ts'
import { priceStore } from '../../src/store/prices.ts'
import { sampleData } from '../../src/store/sample-data.ts'
import { sourceStatusStore } from '../../src/store/source-status.ts'
import { tradingStore } from '../../src/store/trading.ts'
import { zonePriceStore } from '../../src/store/zone-prices.ts'
import { applyTestRoles, isEmbedded, testDatabase } from './database.ts'
import { type OpenapiDocument, OpenapiValidator } from './openapi-validator.ts'
import { type SeedOptions, storePrices } from './prices.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body read as JSON. */
  json(): Record<string, unknown>
}

export interface TestService {
  baseUrl: string
  /** Makes and offers the file of a dataset, as the nightly job does. */
  publishFile(dataset: BulkDataset, format: BulkFormat): Promise<void>
  /** Stores prices as an accepted document and brings the aggregates up to date, as an ingest does. */
  seed(items: (ZoneDay | DailyPrice)[], options?: SeedOptions): Promise<void>
  setNow(instant: string): void
  /** Issues a key and returns its text; the service knows it at once. */
  issueKey(plan: KeyedPlan, about?: Partial<NewApiKey>): Promise<{ id: string; key: string }>
  /** Revokes it, as the command does, and lets the service hear of it. */
  revokeKey(id: string): Promise<void>
  /** Replaces it by a new one; the old one is good until that instant. */
  rotateKey(id: string, oldExpiresAt: string): Promise<{ id: string; key: string }>
  /** How often a file of the bulk exports was asked for that is not there and can be made. */
  filesWanted(): number
  /** Everything logged so far, as it was written. */
  logText(): string
  sql: Sql
  database: Database
  /** GET by default; throws where the answer is not what the OpenAPI document says. */
  ask(path: string, init?: RequestInit): Promise<Answer>
  stop(): Promise<void>
}

export interface TestServiceOptions {
  now: string
  /** Lets analysts' statements run on this database; they are refused as coming otherwise. */
  analysts?: boolean
  limits?: Partial<Config['limits']>
  config?: Partial<HttpConfig>
  alerts?: Partial<AlertServiceOptions>
  /** Folder of the bulk exports' files, where two services share them, with the key that signs their addresses. */
  files?: string
  secretsKey?: Secret
  /** What the queues are said to hold. */
  queueDepths?: QueueDepth[]
  /** False: as where no mail server is configured. */
  mail?: boolean
}

/** What names resolve to, unless a test has them resolve otherwise; nothing is ever sent there. */
const PUBLIC_ADDRESS = '93.184.215.14'

export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const db = await testDatabase()
  const { sql } = db.database
  const version = dataVersion(sql)
  await version.refresh()
  if (options.analysts) await applyTestRoles(sql)
  let now = Temporal.Instant.from(options.now)
  let filesWanted = 0
  let logText = ''
  const log = createLogger({
    level: 'info',
    destination: {
      write: (line) => {
        logText += line
      },
    },
  })

  const access = await openAccessControl({
    config: {
      limits: {
        store: 'memory',
        openRequestsPerMinute: 1_000_000,
        openRequestsPerDay: undefined,
        pageRequestsPerMinute: 1_000_000,
        ...options.limits,
      },
    },
    database: { sql },
    clock: { now: () => now },
    dataVersion: version,
    log,
  })

  const server = httpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secretsKey = options.secretsKey ?? new Secret(randomBytes(SECRETS_KEY_BYTES).toString('base64'))
  const folder = options.files ?? path.join(os.tmpdir(), `energy-prices-test-files-${randomBytes(6).toString('hex')}`)
  const files = folderStore(folder)
  const app = createApp({
    config: {
      baseUrl: new URL(baseUrl),
      trustedProxies: [],
      canonicalHost: false,
      environment: 'test',
      comingEndpoints: new Set(options.analysts ? [] : [SQL_PATH]),
      computingAtOnce: 64,
      ...options.config,
    },
    clock: { now: () => now },
    prices: priceStore(sql),
    zones: zonePriceStore(sql),
    offerIndices: offerIndexStore(sql),
    alerts: alertService({
      sql,
      clock: { now: () => now },
      secrets: secretBox(secretsKey),
      addresses: addressRules([]),
      ports: [],
      alertsPerKeyMax: 100,
      verification: false,
      days: access.daily,
      wake: async () => {},
      resolve: (_host, callback) => callback(null, [{ address: PUBLIC_ADDRESS, family: 4 }]),
      ...options.alerts,
    }),
    bulk: bulkExportService({
      sql,
      store: files,
      addresses: signedAddresses(secretsKey),
      wake: async () => {
        filesWanted += 1
      },
    }),
    developerKeys:
      options.mail === false
        ? undefined
        : developerKeyService({
            sql,
            clock: { now: () => now },
            days: access.daily,
            baseUrl: new URL(baseUrl),
            wake: async () => {},
          }),
    forecasts: forecastStore(sql),
    hourlyForecasts: hourlyForecastStore(sql),
    sourceStatus: sourceStatusStore(sql),
    sampleData: sampleData('auto', { sql, read: sql }),
    analystSql: options.analysts ? analystSql(db.url) : undefined,
    trading: tradingStore(sql),
    access,
    health: { ready: async () => ({ ready: true, checks: {} }) },
    queueDepths: async () => options.queueDepths ?? [],
    dataVersion: version,
    log,
  })
  serveRequests(server, app, { baseUrl: new URL(baseUrl), log })
  const validator = new OpenapiValidator((await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as OpenapiDocument)

  return {
    baseUrl,
    async publishFile(dataset, format) {
      const publishing = {
        sql,
        niceness: 0,
        databaseUrl: db.url,
        isServer: !isEmbedded,
        store: files,
        folder,
        now: () => now,
      }
      await publishExport({ dataset, format }, { ...publishing, signal: AbortSignal.timeout(60_000) })
    },
    async seed(items, seedOptions) {
      await storePrices(sql, items, seedOptions)
      await refreshAggregates(sql)
      await version.refresh()
    },
    sql,
    database: db.database,
    async issueKey(plan, about = {}) {
      const { key, record } = newKey(plan, now, about)
      await insertApiKey(sql, record)
      await version.refresh()
      return { id: record.id, key }
    },
    async rotateKey(id, oldExpiresAt) {
      const old = await findApiKey(sql, id)
      if (old === undefined) throw new Error(`there is no key ${id}`)
      const { key, record } = newKey(old.plan, now, { rotatedFrom: id })
      await rotateApiKey(sql, id, Temporal.Instant.from(oldExpiresAt), record)
      await version.refresh()
      return { id: record.id, key }
    },
    filesWanted: () => filesWanted,
    logText: () => logText,
    async revokeKey(id) {
      await revokeApiKey(sql, id, now)
      await version.refresh()
    },
    setNow: (instant) => {
      now = Temporal.Instant.from(instant)
    },
    async ask(path, init = {}) {
      const response = await fetch(baseUrl + path, init)
      const text = await response.text()
      const contentType = response.headers.get('content-type')
      validator.check({ method: init.method ?? 'GET', url: path, status: response.status, contentType, body: text })
      return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await access[Symbol.asyncDispose]()
      await db.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function newKey(plan: KeyedPlan, createdAt: Temporal.Instant, about: Partial<NewApiKey>) {
  const key = makeApiKey(randomBytes)
  const record: NewApiKey = {
    id: `key_${randomBytes(6).toString('hex')}`,
    sha256: hashApiKey(key),
    hint: apiKeyHint(key),
    plan,
    owner: 'a test',
    email: null,
    requestsPerMinute: null,
    requestsPerMonth: null,
    attribution: null,
    createdAt,
    rotatedFrom: null,
    ...about,
  }
  return { key, record }
}
