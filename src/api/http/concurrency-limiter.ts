/**
 * Limits how many responses are computed at the same time. Requests of a burst wait in order until they are served, and so do requests that
 * arrive while one long statement blocks the database. If the oldest request has waited for a second although responses keep finishing,
 * and the queue does not get shorter, the service is overloaded: then only a few requests may wait, and the rest are refused at once.
 * Admitted requests are served about as fast as usual, and a refusal takes no time, instead of all responses being late.
 */
import { overloaded } from '../contract/errors.ts'

const SETTINGS = {
  /** Minimum wait of the oldest request before the service counts as overloaded. */
  patienceMs: 1_000,
  /** How many responses must have finished since the queue was last empty. */
  finishedMin: 32,
  /** Interval at which the length of the queue is compared. */
  sampleMs: 250,
  waitingMax: 512,
  /** While overloaded. A handful of clients that send requests without a pause do not cause an overload. */
  waitingMaxOverloaded: 2,
  /** Overload ends once no request has been refused for this long. */
  recoveryMs: 1_000,
  retryAfterSeconds: 1,
} as const

interface ConcurrencyLimiterOptions {
  /** Maximum number of responses computed at the same time. */
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
  /** Oldest first. */
  readonly #waiting: Waiting[] = []
  #computing = 0
  #refusedAtMs = Number.NEGATIVE_INFINITY
  /** Responses finished since the queue was last empty. */
  #finished = 0
  /** The last sample of the length of the queue. */
  #sample = { atMs: Number.NEGATIVE_INFINITY, length: 0 }
  #isDraining = false

  constructor(options: ConcurrencyLimiterOptions) {
    this.#options = options
  }

  /** Runs `compute` now or after a wait; throws a 503 with `Retry-After` if there is no room. */
  async run<T>(compute: () => Promise<T>): Promise<T> {
    if (this.#computing < this.#options.atOnce) this.#computing += 1
    else await this.#wait()
    try {
      return await compute()
    } finally {
      this.#releaseSlot()
    }
  }

  async #wait(): Promise<void> {
    const sinceMs = this.#options.nowMs()
    const isOverloaded = sinceMs - this.#refusedAtMs < SETTINGS.recoveryMs
    if (this.#waiting.length >= (isOverloaded ? SETTINGS.waitingMaxOverloaded : SETTINGS.waitingMax))
      throw this.#refusal()
    if (this.#waiting.length === 0) this.#finished = 0
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ sinceMs, start: resolve, refuse: () => reject(this.#refusal()) })
    await promise
  }

  #refusal(): Error {
    const { nowMs, onRefused } = this.#options
    this.#refusedAtMs = nowMs()
    onRefused()
    return overloaded(SETTINGS.retryAfterSeconds)
  }

  /** Hands the slot to the next request in the queue, if there is one. */
  #releaseSlot(): void {
    this.#finished += 1
    if (this.#hasStandingQueue()) this.#refuseOldest()
    const next = this.#waiting.shift()
    if (next === undefined) this.#computing -= 1
    else next.start()
  }

  #hasStandingQueue(): boolean {
    const [longest] = this.#waiting
    if (longest === undefined) return false
    const now = this.#options.nowMs()
    if (now - this.#sample.atMs >= SETTINGS.sampleMs) {
      this.#isDraining = this.#waiting.length < this.#sample.length
      this.#sample = { atMs: now, length: this.#waiting.length }
    }
    return now - longest.sinceMs >= SETTINGS.patienceMs && this.#finished >= SETTINGS.finishedMin && !this.#isDraining
  }

  /** Keeps the most recent requests, which have waited least. */
  #refuseOldest(): void {
    for (const late of this.#waiting.splice(0, Math.max(0, this.#waiting.length - SETTINGS.waitingMaxOverloaded)))
      late.refuse()
  }
}
