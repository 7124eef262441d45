/**
 * Store of the request counts (LIMITS_STORE): this process, or PostgreSQL, Valkey or Redis, where several processes
 * share the limits. While a shared store is unreachable, requests are counted in this process.
 * A shared store returns, with each count, the newest data version that any process answers from.
 */
import { limitsStoreBack, limitsStoreLost } from '../../platform/events.ts'
import type { Logger } from '../../platform/log.ts'
import type { DataVersion } from '../../store/data-version.ts'
import type { Sql } from '../../store/database.ts'
import { countRequests, deleteEndedWindows, findWindow, refundRequest } from '../../store/rate-limits.ts'
import { BatchedCounter } from './batched-counter.ts'
import { FailoverCounter, within } from './failover-counter.ts'
import { MemoryCounter } from './memory-counter.ts'
import { type BatchCounter, type Counter, DAY_SECONDS, HOUR_SECONDS, WINDOW_SECONDS } from './rate-limiter.ts'
import { redisCounter, setVersionIfNewer } from './redis-counter.ts'

/** Time-out of a shared store; after it, the request is counted in this process. */
const ANSWER_MS_MAX = 500
/** How often ended windows are deleted from the table. */
const SWEEP_EVERY_MS = 300_000
const CONNECT_MS_MAX = 2_000
const DISCONNECT_MS_MAX = 100
const RECONNECT_MS_MAX = 2_000

type LimitsStoreSetting = 'memory' | 'postgres' | URL

type SharedVersion = Pick<DataVersion, 'advance' | 'announceBy'>

export interface LimitsStore extends AsyncDisposable {
  /** Requests in the current minute. */
  counter: Counter
  /** Counts of rare operations, in the current hour. */
  hourCounter: Counter
  /** Requests in the current day, for the Open plan's reasonable use. */
  dayCounter: Counter
}

export async function openLimitsStore(
  setting: LimitsStoreSetting,
  { sql, version, log }: { sql: Sql; version: SharedVersion; log: Logger },
  answerMsMax: number = ANSWER_MS_MAX,
): Promise<LimitsStore> {
  if (setting === 'memory') {
    return {
      counter: new MemoryCounter(),
      hourCounter: new MemoryCounter(HOUR_SECONDS),
      dayCounter: new MemoryCounter(DAY_SECONDS),
      async [Symbol.asyncDispose]() {},
    }
  }
  const failover = failoverOf(setting === 'postgres' ? 'postgres' : 'redis', log, answerMsMax)
  return setting === 'postgres'
    ? postgresStore(sql, version, log, failover)
    : await redisStore(setting, version, answerMsMax, failover)
}

/** Counts in the table rate_limits. The clocks of the processes must agree to the second. */
function postgresStore(sql: Sql, version: SharedVersion, log: Logger, failover: Failover): LimitsStore {
  const sweep = setInterval(() => {
    deleteEndedWindows(sql, Date.now()).catch((err) => log.warn({ err }, 'ended windows could not be deleted'))
  }, SWEEP_EVERY_MS)
  return {
    counter: new BatchedCounter(failover(WINDOW_SECONDS, postgresCounter(sql, version, WINDOW_SECONDS))),
    hourCounter: new BatchedCounter(failover(HOUR_SECONDS, postgresCounter(sql, version, HOUR_SECONDS))),
    dayCounter: new BatchedCounter(failover(DAY_SECONDS, postgresCounter(sql, version, DAY_SECONDS))),
    [Symbol.asyncDispose]: async () => clearInterval(sweep),
  }
}

function postgresCounter(sql: Sql, version: SharedVersion, windowSeconds: number): BatchCounter {
  const clientOf = (client: string) => `${windowSeconds}s:${client}`
  return {
    async consumeAll(requests) {
      const nowMs = Date.now()
      const named = requests.map(({ client, limit }) => ({ client: clientOf(client), limit }))
      const { counted, dataVersion } = await countRequests(sql, named, { nowMs, windowMs: windowSeconds * 1000 })
      version.advance(dataVersion)
      return counted.map(({ admitted, used, endsAtMs }) => ({
        admitted,
        used,
        msLeft: endsAtMs - nowMs,
        window: String(endsAtMs),
      }))
    },
    refund: (client, window) => refundRequest(sql, clientOf(client), Number(window)),
    async peek(client) {
      const nowMs = Date.now()
      const found = await findWindow(sql, clientOf(client), nowMs)
      return found && { used: found.used, msLeft: found.endsAtMs - nowMs }
    },
  }
}

async function redisStore(
  address: URL,
  version: SharedVersion,
  answerMsMax: number,
  failover: Failover,
): Promise<LimitsStore> {
  // Imported lazily, so that processes with another store do not load it.
  const { Redis } = await import('ioredis')
  const storeClient = new Redis(address.href.replace(/^valkey/, 'redis'), {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    // Also delays shutdown while the server is unreachable.
    disconnectTimeout: DISCONNECT_MS_MAX,
    // Requests that cannot be sent at once are counted in this process.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, RECONNECT_MS_MAX),
  })
  const counterOf = (windowSeconds: number) =>
    failover(
      windowSeconds,
      redisCounter(storeClient, windowSeconds, (data) => version.advance(data)),
    )
  const [minutes, hours, days] = [counterOf(WINDOW_SECONDS), counterOf(HOUR_SECONDS), counterOf(DAY_SECONDS)]
  storeClient.on('error', (err) => minutes.markDown(err))
  // The client keeps retrying if the first attempt fails.
  await storeClient.connect().catch((err) => minutes.markDown(err))
  // While the store is unreachable, each process counts and answers independently.
  await version.announceBy((data) => within(answerMsMax, setVersionIfNewer(storeClient, data)).catch(() => {}))
  return {
    counter: new BatchedCounter(minutes),
    hourCounter: new BatchedCounter(hours),
    dayCounter: new BatchedCounter(days),
    [Symbol.asyncDispose]: async () => storeClient.disconnect(),
  }
}

type Failover = (windowSeconds: number, store: BatchCounter) => FailoverCounter

function failoverOf(name: string, log: Logger, answerMsMax: number): Failover {
  return (windowSeconds, store) =>
    new FailoverCounter({
      store,
      fallback: new MemoryCounter(windowSeconds),
      answerMsMax,
      onLost: (err) => limitsStoreLost(log, { store: name, windowSeconds, cause: err }),
      onRecovered: () => limitsStoreBack(log, { store: name, windowSeconds }),
    })
}
