/** Limits the requests to one publisher: concurrency, interval and daily budget. Shared by everything that fetches from it. */
import { BudgetSpent } from './outcomes.ts'
import { type Sleep, sleep } from './sleep.ts'

const HOUR_MS = 3_600_000

interface Limits {
  minIntervalMs: number
  requestsPerHour?: number | undefined
}

interface RequestThrottleOptions extends Limits {
  concurrency: number
  /** Shared by throttles whose limits apply to their requests together. */
  pace?: RequestPace
  /** Takes one request from the daily budget; false if none is left. Stored outside the process. */
  takeFromBudget(): Promise<boolean>
  sleep?: Sleep
}

/** Start times of requests, in monotonic milliseconds. */
export class RequestPace {
  #nextStart = 0
  /** When the token bucket of `requestsPerHour` is full again. */
  #fullAt = 0

  /** Reserves the start of a request; returns the milliseconds until then. */
  reserve({ minIntervalMs, requestsPerHour }: Limits, now = performance.now()): number {
    // The bucket has half of an hour's requests and refills in an hour, so no hour has more than all of them.
    const refillMs = requestsPerHour === undefined ? 0 : (2 * HOUR_MS) / requestsPerHour
    const start = Math.max(now, this.#nextStart, this.#fullAt + refillMs - HOUR_MS)
    this.#nextStart = start + minIntervalMs
    this.#fullAt = Math.max(start, this.#fullAt) + refillMs
    return start - now
  }
}

export class RequestThrottle {
  readonly #options: RequestThrottleOptions
  readonly #waiting: (() => void)[] = []
  readonly #pace: RequestPace
  #free: number

  constructor(options: RequestThrottleOptions) {
    this.#options = options
    this.#pace = options.pace ?? new RequestPace()
    this.#free = options.concurrency
  }

  /** Runs the request as soon as the limits allow. Rejects with BudgetSpent, or with the signal's reason. */
  async run<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    await this.#acquireSlot(signal)
    try {
      await (this.#options.sleep ?? sleep)(this.#pace.reserve(this.#options), signal)
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
}
