/**
 * Bounds the answers being computed, so that more requests than the database can serve end in quick refusals instead of ever longer
 * waits. A rush is let in, in order, as long as the queue empties now and then; so is what came while one long statement held the
 * database up. Where the queue stands though answer after answer is done, the newest goes first and what has waited is refused: those
 * who get in are served as fast as ever, which is more than everybody being late. A few may always wait, each in turn.
 * After "Controlling Queue Delay" (Nichols and Jacobson, 2012), whose target and interval these are in spirit.
 */
import { overloaded } from '../contract/errors.ts'

/** A queue that has not been empty for so long, while so many answers were done, is not a rush. */
const STANDING_MS = 500
const STANDING_ANSWERS = 32
/** How long one may wait while the queue stands. */
const HURRIED_MS = 20
/** A handful of clients that ask without a pause are no overload. */
const ALWAYS_WAITING = 4
const WAITING_MAX = 512
const RETRY_AFTER_SECONDS = 1

export interface ComputingGateOptions {
  /** Answers computed at the same time. */
  atOnce: number
  nowMs(): number
  onRefused(): void
}

interface Waiting {
  sinceMs: number
  enter(): void
  refuse(): void
}

export class ComputingGate {
  readonly #options: ComputingGateOptions
  readonly #waiting: Waiting[] = []
  #computing = 0
  /** When the queue was last seen empty. */
  #emptyAtMs = 0
  #doneSince = 0

  constructor(options: ComputingGateOptions) {
    this.#options = options
  }

  /** Runs it now or after a wait; throws a 503 with `Retry-After` where there is no room for it. */
  async run<T>(compute: () => Promise<T>): Promise<T> {
    if (this.#computing < this.#options.atOnce) {
      this.#computing += 1
    } else {
      await this.#wait()
    }
    try {
      return await compute()
    } finally {
      this.#handOver()
    }
  }

  #wait(): Promise<void> {
    const { nowMs, onRefused } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => {
      onRefused()
      reject(overloaded(RETRY_AFTER_SECONDS))
    }
    const sinceMs = nowMs()
    if (this.#waiting.length === 0) {
      this.#emptyAtMs = sinceMs
      this.#doneSince = 0
    }
    this.#waiting.push({ sinceMs, enter: resolve, refuse })
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()?.refuse()
    return promise
  }

  /** The place of an answer that is done goes to the next; without one it falls free. */
  #handOver(): void {
    const now = this.#options.nowMs()
    this.#doneSince += 1
    const stands = this.#doneSince > STANDING_ANSWERS && now - this.#emptyAtMs > STANDING_MS
    const next = stands && this.#waiting.length > ALWAYS_WAITING ? this.#waiting.pop() : this.#waiting.shift()
    if (stands) this.#refuseLate(now)
    if (next === undefined) this.#computing -= 1
    else next.enter()
  }

  /** The longest waiting are at the front. */
  #refuseLate(now: number): void {
    const kept = this.#waiting.findIndex(({ sinceMs }) => now - sinceMs <= HURRIED_MS)
    const late = kept === -1 ? this.#waiting.length : kept
    const refused = Math.min(late, this.#waiting.length - ALWAYS_WAITING)
    if (refused > 0) for (const waiting of this.#waiting.splice(0, refused)) waiting.refuse()
  }
}
