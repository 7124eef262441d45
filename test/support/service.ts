/** The app in process on a real database and a fixed clock; every response is checked against the OpenAPI document. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { planExports } from '../../jobs/plan-exports.ts'
import type { BulkDataset, BulkFormat } from '../../src/api/contract/bulk.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import type { Service } from '../../src/api/http/service.ts'
import {
  type PublishContext,
  type PublishOrderResult,
  publishFile,
  publishOrder,
} from '../../src/delivery/bulk/publish-files.ts'
import { publishLake } from '../../src/delivery/lake/publish-lake.ts'
import type { Resolve } from '../../src/platform/egress/checked-lookup.ts'
import { SECRETS_KEY_BYTES } from '../../src/platform/secret.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import { createApp } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type Context, makeContext } from '../../src/service/context.ts'
import { makeService } from '../../src/service/make-service.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import {
  findApiKey,
  insertApiKey,
  type KeyedPlan,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../src/store/api-keys.ts'
import type { Database, Sql } from '../../src/store/database.ts'
import { startExportOrder } from '../../src/store/export-orders.ts'
import { newApiKey } from './api-keys.ts'
import { applyTestRoles, copyPreparedDatabase, isEmbedded, testDatabase } from './database.ts'
import { idleQueue } from './idle-queue.ts'
import { listenLocally } from './local-server.ts'
import { type OpenapiDocument, OpenapiValidator } from './openapi-validator.ts'
import { type SeedOptions, storePrices } from './prices.ts'
import { recordedLog } from './recorded-log.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body parsed as JSON. */
  json(): Record<string, unknown>
}

export interface TestService {
  baseUrl: string
  /** Folder with the files of the bulk exports. */
  folder: string
  /** Publishes the file of a dataset, as the nightly job does. */
  publishFile(dataset: BulkDataset, format: BulkFormat): Promise<void>
  /** Publishes the Iceberg table of a dataset. */
  publishIcebergTable(dataset: BulkDataset): Promise<void>
  /** Creates the file of an ordered export, as the worker does. */
  fillOrder(id: string, options?: Pick<PublishContext, 'onStart'>): Promise<PublishOrderResult | undefined>
  /** Stores prices as an accepted document and refreshes the aggregates, as an ingest does. */
  seed(items: (ZoneDay | DailyPrice)[], options?: SeedOptions): Promise<void>
  setNow(instant: string): void
  /** Issues a key and returns its text; it is valid immediately. */
  issueKey(plan: KeyedPlan, about?: Partial<NewApiKey>): Promise<{ id: string; key: string }>
  /** Authorization header with a new key of that plan. */
  asPlan(plan: KeyedPlan, about?: Partial<NewApiKey>): Promise<{ authorization: string }>
  /** Revokes a key, as the command does; effective immediately. */
  revokeKey(id: string): Promise<void>
  /** Rotates a key; the old one remains valid until that instant. */
  rotateKey(id: string, oldExpiresAt: string): Promise<{ id: string; key: string }>
  /** Number of requests for a bulk file that does not exist yet but can be created. */
  fileRequestCount(): number
  /** Everything logged so far, as written. */
  logText(): string
  sql: Sql
  database: Database
  /** The app's services. */
  service: Service
  /** The context of the jobs. */
  ctx: Context
  /** GET by default; throws if the response does not match the OpenAPI document. */
  ask(path: string, init?: RequestInit): Promise<Answer>
  stop(): Promise<void>
}

export interface TestServiceOptions {
  now: string
  /**
   * Runs analysts' statements on this database; without it `POST /sql` answers 404 (coming). `copies`: on copies of it, as in an
   * installation without a database server; the database is then always embedded.
   */
  analysts?: boolean | 'copies'
  /** Environment variables in addition to those that lift the limits and enable mail. */
  env?: Record<string, string>
  /** Resolves host names when an alert is created; by default to a public address. Nothing is ever sent there. */
  resolve?: Resolve
}

const PUBLIC_ADDRESS: Resolve = (_host, callback) => callback(null, [{ address: '93.184.215.14', family: 4 }])
const NO_LIMITS = { OPEN_REQUESTS_PER_MINUTE: '1000000', PAGE_REQUESTS_PER_MINUTE: '1000000', ALERTS_PER_KEY: '100' }
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'prices@energy.example' }

/** `startTestService()`, shared by all tests of the calling file and stopped after the last. */
export async function serviceOfFile(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options)
  afterAll(() => service.stop())
  return service
}

export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const db = options.analysts === 'copies' ? await openEmbeddedDatabase() : await openExternalDatabase(options)
  const folder = path.join(os.tmpdir(), `energy-prices-test-files-${randomBytes(6).toString('hex')}`)
  const config = readConfig({
    NODE_ENV: 'test',
    ...db.env,
    SECRETS_KEY: randomBytes(SECRETS_KEY_BYTES).toString('base64'),
    BULK_DIR: folder,
    ...NO_LIMITS,
    ...MAIL,
    ...options.env,
  })
  let now = Temporal.Instant.from(options.now)
  const { log, text: logText } = recordedLog()
  const enqueued: string[] = []
  const ctx = await makeContext({
    config,
    log,
    clock: { now: () => now },
    openQueue: async () => idleQueue(enqueued),
  })
  const { sql } = ctx.database
  const version = ctx.dataVersion

  const server = httpServer()
  const { baseUrl, [Symbol.asyncDispose]: close } = await listenLocally(server)
  const service = makeService(ctx, {
    baseUrl: config.http.baseUrl ?? new URL(baseUrl),
    health: { stopping: false },
    resolve: options.resolve ?? PUBLIC_ADDRESS,
  })
  serveRequests(server, createApp(service), { baseUrl: service.config.baseUrl, log })
  const validator = validatorOf(await (await fetch(`${baseUrl}/v1/openapi.json`)).text())

  const publishing = () => ({
    sql,
    niceness: 0,
    databaseUrl: ctx.databaseUrl.reveal(),
    isServer: config.database.url !== undefined && !isEmbedded,
    store: ctx.files,
    folder: config.bulk.folder,
    now: () => now,
    signal: new AbortController().signal,
  })
  const issueKey = async (plan: KeyedPlan, about: Partial<NewApiKey> = {}) => {
    const { key, record } = newApiKey({ plan, createdAt: now, ...about })
    await insertApiKey(sql, record)
    await version.refresh()
    return { id: record.id, key }
  }
  return {
    baseUrl,
    folder,
    publishFile: async (dataset, format) => void (await publishFile({ dataset, format }, publishing())),
    async fillOrder(id, given = {}) {
      const order = await startExportOrder(sql, id, now)
      return order && publishOrder(order, { ...publishing(), ...given })
    },
    publishIcebergTable: async (dataset) => void (await publishLake(dataset, publishing())),
    async seed(items, seedOptions) {
      await storePrices(sql, items, seedOptions)
      await refreshAggregates(sql)
      await version.refresh()
    },
    sql,
    database: ctx.database,
    service,
    ctx,
    issueKey,
    asPlan: async (plan, about) => ({ authorization: `Bearer ${(await issueKey(plan, about)).key}` }),
    async rotateKey(id, oldExpiresAt) {
      const old = await findApiKey(sql, id)
      if (old === undefined) throw new Error(`there is no key ${id}`)
      const { key, record } = newApiKey({ plan: old.plan, createdAt: now, rotatedFrom: id })
      await rotateApiKey(sql, id, Temporal.Instant.from(oldExpiresAt), record)
      await version.refresh()
      return { id: record.id, key }
    },
    fileRequestCount: () => enqueued.filter((queue) => queue === planExports.queue).length,
    logText,
    async revokeKey(id) {
      await revokeApiKey(sql, id, now)
      await version.refresh()
    },
    setNow: (instant) => {
      now = Temporal.Instant.from(instant)
    },
    async ask(path, init = {}) {
      const response = await fetch(baseUrl + path, init)
      const { status, headers } = response
      const contentType = headers.get('content-type')
      const text = contentType?.startsWith('text/event-stream') ? await readFirstChunk(response) : await response.text()
      validator.check({ method: init.method ?? 'GET', url: path, status, contentType, headers, body: text })
      return { status, headers, text, json: () => JSON.parse(text) }
    },
    async stop() {
      await close()
      await ctx.stop()
      await db.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Services with the same document share its compiled schemas. */
const validators = new Map<string, OpenapiValidator>()

function validatorOf(document: string): OpenapiValidator {
  return validators.getOrInsertComputed(document, () => new OpenapiValidator(JSON.parse(document) as OpenapiDocument))
}

interface ServiceDatabase {
  env: Record<string, string>
  remove(): Promise<void>
}

async function openEmbeddedDatabase(): Promise<ServiceDatabase> {
  const { dataDir, remove } = await copyPreparedDatabase()
  return { env: { DATA_DIR: dataDir }, remove }
}

async function openExternalDatabase({ analysts }: TestServiceOptions): Promise<ServiceDatabase> {
  const { url, database, stop } = await testDatabase()
  if (analysts) await applyTestRoles(database.sql)
  const env = { DATABASE_URL: url, MIGRATIONS: 'check', ...(analysts && { ANALYST_DATABASE_URL: url }) }
  return { env, remove: stop }
}

/** Returns the first chunk of a stream and closes the connection. */
async function readFirstChunk({ body }: Response): Promise<string> {
  for await (const chunk of body ?? []) return Buffer.from(chunk).toString()
  return ''
}
