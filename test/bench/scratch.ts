import { mkdtemp, rm } from 'node:fs/promises'
import os, { devNull } from 'node:os'
import path from 'node:path'
import { gracefulShutdown } from '../../src/api/http/drain.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import { intervalsInMarketDay, type MarketDay, type ResolutionMinutes } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { createLogger, logDestination } from '../../src/platform/log.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { createApp } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { makeContext } from '../../src/service/context.ts'
import { makeService } from '../../src/service/make-service.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectSql } from '../../src/store/connect-sql.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { idleQueue } from '../support/idle-queue.ts'
import { listenLocally } from '../support/local-server.ts'
import { storePrices } from '../support/prices.ts'
import { rawRequest } from '../support/stub-service.ts'

const SERVER_URL = process.env.DATABASE_URL

export interface ScratchDatabase extends AsyncDisposable {
  database: Database
  url: string
  folder: string
}

export async function scratchDatabase({ durable = true } = {}): Promise<ScratchDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
  const { url, remove } = await (SERVER_URL === undefined ? newEngine(folder, durable) : newDatabase(SERVER_URL))
  const database = connectDatabase({ url, poolSize: 4 })
  await migrate(database)
  return {
    database,
    url,
    folder,
    async [Symbol.asyncDispose]() {
      await database.close()
      await remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function newEngine(folder: string, durable: boolean) {
  const engine = await startEngine({ dataDir: path.join(folder, 'engine'), durable })
  return { url: connectionStringFor(engine.address), remove: () => engine.stop() }
}

async function newDatabase(serverUrl: string) {
  const name = `energy_prices_bench_${process.pid}_${Date.now()}`
  const run = async (statement: string) => {
    const sql = connectSql(serverUrl, { poolSize: 1 })
    await sql.unsafe(statement)
    await sql.end()
  }
  await run(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => run(`drop database ${name} with (force)`) }
}

const UNLIMITED = 1_000_000_000

export interface ServedDatabase extends AsyncDisposable {
  baseUrl: URL
  /** Authorization with an Enterprise key. */
  headers: Record<string, string>
  /** Returns the complete response to an uncached request; throws unless its status is 200. */
  askUncached(target: string, options?: { encoding?: 'identity' | 'gzip'; body?: object }): Promise<Buffer>
}

export async function serve(
  { url, folder }: Pick<ScratchDatabase, 'url' | 'folder'>,
  now: Temporal.Instant,
  env: Record<string, string> = {},
): Promise<ServedDatabase> {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: folder,
    ...env,
  })
  const ctx = await makeContext({
    config,
    clock: makeClock(now),
    // Log lines are formatted and written as in production, but to /dev/null.
    log: createLogger({ level: 'info', destination: logDestination(devNull) }),
    open: async () => ({ url, readUrls: [], engine: undefined }),
    openQueue: async () => idleQueue(),
  })
  const limits = { requestsPerMinute: UNLIMITED, requestsPerMonth: UNLIMITED }
  const { key } = await seedApiKey(ctx.database.sql, { plan: 'Enterprise', createdAt: now, ...limits })
  const server = httpServer()
  gracefulShutdown(server)
  const listening = await listenLocally(server)
  const baseUrl = new URL(listening.baseUrl)
  const service = makeService(ctx, { baseUrl, health: { stopping: false } })
  let versionBumps = 0
  const authorization = { Authorization: `Bearer ${key}` }
  const app = createApp({
    ...service,
    access: { ...service.access, openRequestsPerMinute: UNLIMITED, pageRequestsPerMinute: UNLIMITED },
    dataVersion: { current: () => ctx.dataVersion.current() + versionBumps },
  })
  serveRequests(server, app, { baseUrl, log: ctx.log })
  return {
    baseUrl,
    headers: authorization,
    async askUncached(target, { encoding = 'gzip', body } = {}) {
      versionBumps += 1_000_000
      const headers = {
        ...authorization,
        'Accept-Encoding': encoding,
        ...(body && { 'Content-Type': 'application/json' }),
      }
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const answer = await rawRequest(baseUrl.origin, target, { headers, ...sent })
      if (answer.status !== 200) throw new Error(`${target} answered ${answer.status}: ${answer.body}`)
      return answer.body
    },
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await ctx.stop()
    },
  }
}

const DAYS_PER_DOCUMENT = 30

export interface Span {
  from: MarketDay
  to: MarketDay
  resolutionMinutes: ResolutionMinutes
  /** Price of the n-th interval of a day in the i-th zone. */
  priceOf?: (i: number, day: MarketDay, n: number) => number
}

const defaultPrice: NonNullable<Span['priceOf']> = (i, day, n) => 60 + i + ((n * 7 + day.dayOfYear) % 50)

export async function fillZones(
  { database }: Pick<ScratchDatabase, 'database'>,
  { from, to, resolutionMinutes, priceOf = defaultPrice }: Span,
): Promise<void> {
  let days: ZoneDay[] = []
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    const count = intervalsInMarketDay(day, resolutionMinutes)
    for (const [i, zone] of STORED_ZONES.entries()) {
      const prices = Array.from({ length: count }, (_, n) => priceOf(i, day, n))
      days.push({ kind: 'zone-day', zone, day, resolutionMinutes, prices, faults: [] })
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
