/**
 * Counts in a store that several processes share, and falls back to this process while that store does not respond: an unreachable
 * store may loosen the limits, but must never refuse or delay all requests. Never rejects.
 */
import type { Awaitable } from '../../platform/awaitable.ts'
import type { BatchCounter, Count, CountRequest } from './rate-limiter.ts'

/** Retry interval: while the store is down, one operation per interval is tried on it. */
const RETRY_INTERVAL_MS = 1_000

interface FailoverCounterOptions {
  store: BatchCounter
  fallback: BatchCounter
  /** Time-out of an operation of the store. */
  answerMsMax: number
  onLost(error: unknown): void
  onRecovered(): void
}

export class FailoverCounter implements BatchCounter {
  readonly #options: FailoverCounterOptions
  #isDown = false
  #retryAtMs = 0

  constructor(options: FailoverCounterOptions) {
    this.#options = options
  }

  consumeAll(requests: readonly CountRequest[]) {
    return this.#runWithFallback((counter) => counter.consumeAll(requests))
  }

  /** The store and the fallback have separate windows: a refund to a window of the other one has no effect. */
  refund(client: string, window: string): Promise<void> {
    return this.#runWithFallback((counter) => counter.refund(client, window))
  }

  peek(client: string): Promise<Count | undefined> {
    return this.#runWithFallback((counter) => counter.peek(client))
  }

  /** Marks the store as down; also called on a connection error, before any request fails. */
  markDown(error: unknown): void {
    this.#retryAtMs = performance.now() + RETRY_INTERVAL_MS
    if (this.#isDown) return
    this.#isDown = true
    this.#options.onLost(error)
  }

  async #runWithFallback<Answer>(operation: (counter: BatchCounter) => Awaitable<Answer>): Promise<Answer> {
    const { store, fallback, answerMsMax } = this.#options
    if (this.#isDown && !this.#claimRetry()) return operation(fallback)
    try {
      const answer = await within(answerMsMax, operation(store))
      this.#markUp()
      return answer
    } catch (err) {
      this.markDown(err)
      return operation(fallback)
    }
  }

  #claimRetry(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#retryAtMs) return false
    this.#retryAtMs = nowMs + RETRY_INTERVAL_MS
    return true
  }

  #markUp(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#options.onRecovered()
  }
}

/** Rejects if `answer` takes longer than `ms`. */
export async function within<Answer>(ms: number, answer: Awaitable<Answer>): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
