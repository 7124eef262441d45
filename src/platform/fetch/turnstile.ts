/** One publisher's politeness: so many requests at a time, so much time between them, so many a day. Shared by all who fetch from it. */
import { BudgetSpent } from './outcomes.ts'
import { type Sleep, sleep } from './sleep.ts'

export interface TurnstileOptions {
  minIntervalMs: number
  concurrency: number
  /** Takes one request from the day's budget; false where none is left. Remembered outside the process. */
  takeFromBudget(): Promise<boolean>
  sleep?: Sleep
}

export class Turnstile {
  readonly #options: TurnstileOptions
  readonly #waiting: (() => void)[] = []
  #free: number
  /** Monotonic milliseconds before which the next request must not start. */
  #nextStart = 0

  constructor(options: TurnstileOptions) {
    this.#options = options
    this.#free = options.concurrency
  }

  /** Runs one request when it is its turn. Fails with BudgetSpent, or with the signal's reason. */
  async pass<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    await this.#takePlace(signal)
    try {
      await this.#keepDistance(signal)
      if (!(await this.#options.takeFromBudget())) {
        throw new BudgetSpent("the day's budget of requests is used up", { retryable: false })
      }
      return await request()
    } finally {
      this.#leave()
    }
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      const at = this.#waiting.indexOf(resolve)
      if (at >= 0) this.#waiting.splice(at, 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** A place goes straight to the next in the queue. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) next()
    else this.#free += 1
  }

  async #keepDistance(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const start = Math.max(now, this.#nextStart)
    this.#nextStart = start + this.#options.minIntervalMs
    await (this.#options.sleep ?? sleep)(start - now, signal)
  }
}
