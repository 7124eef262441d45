/**
 * Where requests are counted (LIMITS_STORE): in this process, or in PostgreSQL or at a Valkey or Redis address, where several
 * processes share the limits. A shared store that cannot be reached is replaced by counting in this process until it is back.
 */
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible'
import { limitsStoreBack, limitsStoreLost } from '../../platform/events.ts'
import type { Logger } from '../../platform/log.ts'
import type { Sql } from '../../store/database.ts'
import { InsuredCounter } from './insured-counter.ts'
import { type Counter, DAY_SECONDS, memoryCounter, NO_MAXIMUM, WINDOW_SECONDS } from './minute-limiter.ts'

/** A request that waited so long for its count is counted in this process. */
const ANSWER_MS_MAX = 500
/** Windows that ended are deleted from the table this often. */
const SWEEP_EVERY_MS = 300_000
const CONNECT_MS_MAX = 2_000
const RECONNECT_MS_MAX = 2_000

export type LimitsStoreSetting = 'memory' | 'postgres' | URL

export interface LimitsStore extends AsyncDisposable {
  /** Requests in the current minute. */
  counter: Counter
  /** Requests in the current day, for the Open plan's reasonable use. */
  dayCounter: Counter
}

export async function openLimitsStore(
  setting: LimitsStoreSetting,
  sql: Sql,
  log: Logger,
  answerMsMax: number = ANSWER_MS_MAX,
): Promise<LimitsStore> {
  if (setting === 'memory') {
    return { counter: memoryCounter(), dayCounter: memoryCounter(DAY_SECONDS), [Symbol.asyncDispose]: async () => {} }
  }
  const insure = insurer(setting === 'postgres' ? 'postgres' : 'redis', log, answerMsMax)
  return setting === 'postgres' ? postgresStore(sql, log, insure) : await redisStore(setting, insure)
}

/** Counts in the table rate_limits by the clocks of the processes, which must agree to the second. */
function postgresStore(sql: Sql, log: Logger, insure: Insure): LimitsStore {
  const storeClient = {
    query: async ({ text, values }: { text: string; values: (string | number)[] }) => {
      const rows = await sql.unsafe(text, values, { prepare: true })
      return { rows, rowCount: rows.count }
    },
  }
  const counter = (windowSeconds: number) =>
    insure(
      windowSeconds,
      new RateLimiterPostgres({
        ...windowOf(windowSeconds),
        storeClient,
        storeType: 'client',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
      }),
    )
  const sweep = setInterval(() => {
    sql`delete from rate_limits where expire < ${Date.now()}`.catch((err) =>
      log.warn({ err }, 'ended windows could not be deleted'),
    )
  }, SWEEP_EVERY_MS)
  return {
    counter: counter(WINDOW_SECONDS),
    dayCounter: counter(DAY_SECONDS),
    [Symbol.asyncDispose]: async () => clearInterval(sweep),
  }
}

async function redisStore(address: URL, insure: Insure): Promise<LimitsStore> {
  // Loaded here, so that processes that count elsewhere do without it.
  const { Redis } = await import('ioredis')
  const storeClient = new Redis(address.href.replace(/^valkey/, 'redis'), {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    // What cannot be sent at once is counted in this process.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, RECONNECT_MS_MAX),
  })
  const counter = (windowSeconds: number) =>
    insure(windowSeconds, new RateLimiterRedis({ ...windowOf(windowSeconds), storeClient }))
  const counters = { counter: counter(WINDOW_SECONDS), dayCounter: counter(DAY_SECONDS) }
  storeClient.on('error', (err) => counters.counter.lose(err))
  // The client goes on trying by itself when the first attempt fails.
  await storeClient.connect().catch((err) => counters.counter.lose(err))
  return { ...counters, [Symbol.asyncDispose]: async () => storeClient.disconnect() }
}

function windowOf(windowSeconds: number) {
  return { points: NO_MAXIMUM, duration: windowSeconds, keyPrefix: `energy-prices:${windowSeconds}s` }
}

type Insure = (windowSeconds: number, store: Counter) => InsuredCounter

function insurer(name: string, log: Logger, answerMsMax: number): Insure {
  return (windowSeconds, store) =>
    new InsuredCounter({
      store,
      insurance: memoryCounter(windowSeconds),
      answerMsMax,
      onLost: (err) => limitsStoreLost(log, { store: name, windowSeconds, cause: err }),
      onBack: () => limitsStoreBack(log, { store: name, windowSeconds }),
    })
}
