/**
 * Limits how many responses are computed at a time, so that overload causes quick refusals instead of ever longer waits. A burst is
 * queued in order as long as the queue empties now and then, and so are requests that arrive while one long statement holds up the
 * database. If the queue persists while responses keep finishing, the newest request goes first and those that have waited longest are
 * refused: admitted requests stay fast, instead of all being late. A few may always wait, in order.
 * Target and interval are those of "Controlling Queue Delay" (Nichols and Jacobson, 2012).
 */
import { overloaded } from '../contract/errors.ts'

const SETTINGS = {
  /** The queue is persistent if it has not been empty for this long, while more than `intervalResponses` were finished. */
  intervalMs: 500,
  intervalResponses: 32,
  /** How long a request may wait in a persistent queue. */
  targetMs: 20,
  /** A handful of clients that send requests without a pause are no overload. */
  alwaysWaiting: 4,
  waitingMax: 512,
  retryAfterSeconds: 1,
} as const

export interface ConcurrencyLimiterOptions {
  /** Responses computed at the same time. */
  atOnce: number
  nowMs(): number
  onRefused(): void
}

interface Waiting {
  sinceMs: number
  start(): void
  refuse(): void
}

export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimiterOptions
  readonly #waiting: Waiting[] = []
  #computing = 0
  /** When the queue was last seen empty. */
  #emptyAtMs = 0
  #finishedSince = 0

  constructor(options: ConcurrencyLimiterOptions) {
    this.#options = options
  }

  /** Runs `compute` now or after a wait; throws a 503 with `Retry-After` if there is no room. */
  async run<T>(compute: () => Promise<T>): Promise<T> {
    if (this.#computing < this.#options.atOnce) {
      this.#computing += 1
    } else {
      await this.#wait()
    }
    try {
      return await compute()
    } finally {
      this.#releaseSlot()
    }
  }

  #wait(): Promise<void> {
    const { nowMs, onRefused } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => {
      onRefused()
      reject(overloaded(SETTINGS.retryAfterSeconds))
    }
    const sinceMs = nowMs()
    if (this.#waiting.length === 0) {
      this.#emptyAtMs = sinceMs
      this.#finishedSince = 0
    }
    this.#waiting.push({ sinceMs, start: resolve, refuse })
    if (this.#waiting.length > SETTINGS.waitingMax) this.#waiting.shift()?.refuse()
    return promise
  }

  /** Hands the slot to the next request in the queue, if there is one. */
  #releaseSlot(): void {
    const now = this.#options.nowMs()
    this.#finishedSince += 1
    const isPersistent = this.#finishedSince > SETTINGS.intervalResponses && now - this.#emptyAtMs > SETTINGS.intervalMs
    const next =
      isPersistent && this.#waiting.length > SETTINGS.alwaysWaiting ? this.#waiting.pop() : this.#waiting.shift()
    if (isPersistent) this.#refuseLate(now)
    if (next === undefined) this.#computing -= 1
    else next.start()
  }

  /** The longest waiting are at the front. */
  #refuseLate(now: number): void {
    const kept = this.#waiting.findIndex(({ sinceMs }) => now - sinceMs <= SETTINGS.targetMs)
    const late = kept === -1 ? this.#waiting.length : kept
    const refused = Math.min(late, this.#waiting.length - SETTINGS.alwaysWaiting)
    if (refused > 0) for (const waiting of this.#waiting.splice(0, refused)) waiting.refuse()
  }
}
