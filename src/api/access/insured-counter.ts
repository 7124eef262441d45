/**
 * Counts in a store that several processes share, and in this process alone while that store does not answer: a store that is out
 * of reach must loosen the limits, never refuse everybody or keep them waiting. Never rejects.
 */
import type { Count, Counter } from './minute-limiter.ts'

/** While the store is lost, one request in this time finds out whether it is back. */
const TRY_AGAIN_MS = 1_000

export interface InsuredCounterOptions {
  store: Counter
  insurance: Counter
  /** How long a request waits for the store. */
  answerMsMax: number
  onLost(error: unknown): void
  onBack(): void
}

export class InsuredCounter implements Counter {
  readonly #options: InsuredCounterOptions
  #isLost = false
  #tryAgainAtMs = 0

  constructor(options: InsuredCounterOptions) {
    this.#options = options
  }

  consume(client: string): Promise<Count> {
    return this.#ask((counter) => counter.consume(client))
  }

  async reward(client: string): Promise<void> {
    await this.#ask((counter) => counter.reward(client))
  }

  get(client: string): Promise<Count | null> {
    return this.#ask((counter) => counter.get(client))
  }

  /** Says that the store is lost, where that is known before a request finds out. */
  lose(error: unknown): void {
    this.#tryAgainAtMs = performance.now() + TRY_AGAIN_MS
    if (this.#isLost) return
    this.#isLost = true
    this.#options.onLost(error)
  }

  async #ask<Answer>(question: (counter: Counter) => Promise<Answer>): Promise<Answer> {
    const { store, insurance, answerMsMax } = this.#options
    if (this.#isLost && !this.#mayTryAgain()) return question(insurance)
    try {
      const answer = await within(answerMsMax, question(store))
      this.#find()
      return answer
    } catch (err) {
      this.lose(err)
      return question(insurance)
    }
  }

  #mayTryAgain(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#tryAgainAtMs) return false
    this.#tryAgainAtMs = nowMs + TRY_AGAIN_MS
    return true
  }

  #find(): void {
    if (!this.#isLost) return
    this.#isLost = false
    this.#options.onBack()
  }
}

async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
