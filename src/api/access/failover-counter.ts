/**
 * Counts in a store that several processes share, and falls back to this process while that store does not respond: an unreachable
 * store may loosen the limits, but must never refuse or delay all requests. Never rejects.
 */
import type { Awaitable } from '../../platform/awaitable.ts'
import type { BatchCounter, Count, CountRequest } from './rate-limiter.ts'

/** Retry interval: while the store is down, one operation per interval is tried on it. */
const TRY_AGAIN_MS = 1_000

interface FailoverCounterOptions {
  store: BatchCounter
  fallback: BatchCounter
  /** Time-out of an operation of the store. */
  answerMsMax: number
  onLost(error: unknown): void
  onBack(): void
}

export class FailoverCounter implements BatchCounter {
  readonly #options: FailoverCounterOptions
  #isDown = false
  #tryAgainAtMs = 0

  constructor(options: FailoverCounterOptions) {
    this.#options = options
  }

  consumeAll(requests: readonly CountRequest[]) {
    return this.#ask((counter) => counter.consumeAll(requests))
  }

  /** The store and the fallback have separate windows: a refund to a window of the other one has no effect. */
  refund(client: string, window: string): Promise<void> {
    return this.#ask((counter) => counter.refund(client, window))
  }

  peek(client: string): Promise<Count | undefined> {
    return this.#ask((counter) => counter.peek(client))
  }

  /** Marks the store as down; also called on a connection error, before any request fails. */
  markDown(error: unknown): void {
    this.#tryAgainAtMs = performance.now() + TRY_AGAIN_MS
    if (this.#isDown) return
    this.#isDown = true
    this.#options.onLost(error)
  }

  async #ask<Answer>(question: (counter: BatchCounter) => Awaitable<Answer>): Promise<Answer> {
    const { store, fallback, answerMsMax } = this.#options
    if (this.#isDown && !this.#mayTryAgain()) return question(fallback)
    try {
      const answer = await within(answerMsMax, question(store))
      this.#markUp()
      return answer
    } catch (err) {
      this.markDown(err)
      return question(fallback)
    }
  }

  #mayTryAgain(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#tryAgainAtMs) return false
    this.#tryAgainAtMs = nowMs + TRY_AGAIN_MS
    return true
  }

  #markUp(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#options.onBack()
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
