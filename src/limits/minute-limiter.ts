/**
 * Requests in a fixed window of one minute per client. Counting is a library's business (rate-limiter-flexible): in memory for one
 * process, in PostgreSQL or Valkey/Redis where several share the limits. A refused request does not prolong the wait.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Sql } from '../store/database.ts'

export const WINDOW_SECONDS = 60
/** The library compares with its own maximum; ours differs by caller, so its own is out of reach. */
const NO_MAXIMUM = Number.MAX_SAFE_INTEGER

export interface MinuteWindow {
  admitted: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
}

export interface MinuteLimiter {
  /** Counts a request of the client and says whether it is within its limit. */
  take(client: string, limit: number): Promise<MinuteWindow>
  /** Takes a request back that failed by our fault. */
  giveBack(client: string): Promise<void>
  /** The window as it stands, without counting. */
  look(client: string, limit: number): Promise<MinuteWindow>
}

/** What the limiter asks of the library: the three stores share it. */
type Counter = Pick<RateLimiterMemory, 'consume' | 'reward' | 'get'>

export function minuteLimiter(counter: Counter): MinuteLimiter {
  return {
    take: async (client, limit) => windowOf(await counter.consume(client), limit),
    giveBack: async (client) => {
      await counter.reward(client)
    },
    look: async (client, limit) => windowOf(await counter.get(client), limit),
  }
}

export function memoryCounter(): Counter {
  return new RateLimiterMemory({ points: NO_MAXIMUM, duration: WINDOW_SECONDS })
}

/** Counts in the table rate_limits, which a migration makes. */
export function postgresCounter(sql: Sql): Counter {
  const client = {
    query: async ({ text, values }: { text: string; values: (string | number)[] }) => {
      const rows = await sql.unsafe(text, values, { prepare: true })
      return { rows, rowCount: rows.count }
    },
  }
  return new RateLimiterPostgres({
    points: NO_MAXIMUM,
    duration: WINDOW_SECONDS,
    storeClient: client,
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: true,
  })
}

/** `client` is an ioredis client. */
export function redisCounter(client: unknown): Counter {
  return new RateLimiterRedis({
    points: NO_MAXIMUM,
    duration: WINDOW_SECONDS,
    storeClient: client,
    keyPrefix: 'energy-prices:minute',
  })
}

function windowOf(count: RateLimiterRes | null, limit: number): MinuteWindow {
  const consumed = count?.consumedPoints ?? 0
  return {
    admitted: consumed <= limit,
    limit,
    remaining: Math.max(0, limit - consumed),
    resetSeconds: count === null ? WINDOW_SECONDS : Math.max(1, Math.ceil(count.msBeforeNext / 1000)),
  }
}
