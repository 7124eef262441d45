/**
 * Requests in a fixed window per client: one minute, or a day for the Open plan's reasonable use. A window begins with a client's
 * first request; a refused request never prolongs it. Counting is a library's business (rate-limiter-flexible); where several
 * processes share the limits, limits-store.ts says where the counts stand.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible'

export const WINDOW_SECONDS = 60
export const DAY_SECONDS = 86_400
/** The library compares with its own maximum; ours differs by caller, so its own is out of reach. */
export const NO_MAXIMUM = Number.MAX_SAFE_INTEGER

export interface MinuteWindow {
  admitted: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface MinuteLimiter {
  /** Counts a request of the client and says whether it is within its limit. */
  take(client: string, limit: number): Promise<MinuteWindow>
  /** Takes a request back that failed by our fault; without effect once its window has ended. */
  giveBack(client: string): Promise<void>
  /** The window as it stands, without counting. */
  look(client: string, limit: number): Promise<MinuteWindow>
}

export interface Count {
  consumedPoints: number
  msBeforeNext: number
}

/** What the limiter asks of the library: its stores share it. */
export interface Counter {
  consume(client: string): Promise<Count>
  reward(client: string): Promise<unknown>
  get(client: string): Promise<Count | null>
}

export function minuteLimiter(counter: Counter, windowSeconds: number = WINDOW_SECONDS): MinuteLimiter {
  return {
    take: async (client, limit) => windowOf(await counter.consume(client), limit),
    async giveBack(client) {
      // Where there is no window, the library would open one with a request to spare.
      if (isRunning(await counter.get(client))) await counter.reward(client)
    },
    async look(client, limit) {
      const count = await counter.get(client)
      return isRunning(count)
        ? windowOf(count, limit)
        : { admitted: true, limit, remaining: limit, resetSeconds: windowSeconds }
    },
  }
}

export function memoryCounter(windowSeconds: number = WINDOW_SECONDS): Counter {
  return new RateLimiterMemory({ points: NO_MAXIMUM, duration: windowSeconds })
}

/** A window that is over can still be there: stores clear it away in their own time. */
function isRunning(count: Count | null): count is Count {
  return count !== null && count.consumedPoints > 0 && count.msBeforeNext > 0
}

function windowOf({ consumedPoints, msBeforeNext }: Count, limit: number): MinuteWindow {
  return {
    admitted: consumedPoints <= limit,
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  }
}
