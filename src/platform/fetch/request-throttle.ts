/** Limits the requests to one publisher: concurrency, interval and daily budget. Shared by everything that fetches from it. */
import { BudgetSpent } from './outcomes.ts'
import { type Sleep, sleep } from './sleep.ts'

interface RequestThrottleOptions {
  minIntervalMs: number
  concurrency: number
  /** Takes one request from the daily budget; false if none is left. Stored outside the process. */
  takeFromBudget(): Promise<boolean>
  sleep?: Sleep
}

export class RequestThrottle {
  readonly #options: RequestThrottleOptions
  readonly #waiting: (() => void)[] = []
  #free: number
  /** Monotonic time in milliseconds before which the next request must not start. */
  #nextStart = 0

  constructor(options: RequestThrottleOptions) {
    this.#options = options
    this.#free = options.concurrency
  }

  /** Runs the request as soon as the limits allow. Rejects with BudgetSpent, or with the signal's reason. */
  async run<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    await this.#acquireSlot(signal)
    try {
      await this.#waitForInterval(signal)
      if (!(await this.#options.takeFromBudget())) {
        throw new BudgetSpent('the daily request budget is used up', { retryable: false })
      }
      return await request()
    } finally {
      this.#releaseSlot()
    }
  }

  async #acquireSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      const at = this.#waiting.indexOf(resolve)
      if (at >= 0) this.#waiting.splice(at, 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  /** Hands the slot to the next request in the queue. */
  #releaseSlot(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) next()
    else this.#free += 1
  }

  async #waitForInterval(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const start = Math.max(now, this.#nextStart)
    this.#nextStart = start + this.#options.minIntervalMs
    await (this.#options.sleep ?? sleep)(start - now, signal)
  }
}
