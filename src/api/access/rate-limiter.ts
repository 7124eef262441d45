/**
 * Requests in a fixed window per client: one minute, or a day for the Open plan's reasonable use. A window begins with a client's
 * first request; a refused request is not counted and never prolongs the window. limits-store.ts chooses where the counts are stored.
 */

import type { Awaitable } from '../../platform/awaitable.ts'

export const WINDOW_SECONDS = 60
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

export interface RateWindow {
  limit: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface Consumed extends RateWindow {
  admitted: boolean
  /** Identifies the window in which the request was counted. */
  window: string
}

export interface RateLimiter {
  /** Counts a request if the client is within its limit. */
  consume(client: string, limit: number): Awaitable<Consumed>
  /** Refunds a counted request to its window; has no effect once that window has ended. */
  refund(client: string, window: string): Promise<void>
  /** Returns the current window without counting a request. */
  peek(client: string, limit: number): Promise<RateWindow>
}

export interface Count {
  used: number
  msLeft: number
}

export interface Counted extends Count {
  admitted: boolean
  window: string
}

export interface CountRequest {
  client: string
  limit: number
}

interface OpenCounter {
  /** Subtracts one from the count of that window, never below zero. */
  refund(client: string, window: string): Promise<void>
  /** Undefined if no window is open. */
  peek(client: string): Promise<Count | undefined>
}

/** Store of request counts. Each operation is atomic across processes. */
export interface Counter extends OpenCounter {
  /** Adds one if fewer than `limit` are used. */
  consume(client: string, limit: number): Awaitable<Counted>
}

/** A counter that counts several requests, of one or many clients, in one step. */
export interface BatchCounter extends OpenCounter {
  /** Same as `consume` for each request, in order. */
  consumeAll(requests: readonly CountRequest[]): Awaitable<Counted[]>
}

export function rateLimiter(counter: Counter, windowSeconds: number = WINDOW_SECONDS): RateLimiter {
  return {
    consume(client, limit) {
      const counted = counter.consume(client, limit)
      return counted instanceof Promise ? counted.then((one) => consumedOf(one, limit)) : consumedOf(counted, limit)
    },
    refund: (client, window) => counter.refund(client, window),
    async peek(client, limit) {
      const count = await counter.peek(client)
      return count === undefined ? { limit, remaining: limit, resetSeconds: windowSeconds } : windowOf(count, limit)
    },
  }
}

function consumedOf(counted: Counted, limit: number): Consumed {
  const { admitted, window } = counted
  return { admitted, window, ...windowOf(counted, limit) }
}

function windowOf({ used, msLeft }: Count, limit: number): RateWindow {
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
  }
}

/** How many queries of a key may exceed their time limit per hour. */
export const OVERRUNS_MAX = 2
export const overrunsOf = (client: string) => `sql-overruns:${client}`
