/**
 * Bounds the answers being computed, so that more requests than the database can serve end in quick refusals instead of ever longer
 * waits. A rush is let in, in order, as long as the queue empties now and then. Where it has stood for half a second, the newest goes
 * first and what has waited is refused: those few who get in are served as fast as ever, which is more than everybody being late.
 * After "Controlling Queue Delay" (Nichols and Jacobson, 2012), whose target and interval these are in spirit.
 */
import { overloaded } from '../contract/errors.ts'

/** A queue that has not been empty for so long is not a rush. */
const STANDING_MS = 500
/** How long one may wait while the queue stands. */
const HURRIED_MS = 20
/** So few may always wait: on a quiet service nobody is refused because a long statement held the database up. */
const ALWAYS_WAITING = 4
const WAITING_MAX = 512
const RETRY_AFTER_SECONDS = 1

/** The embedded engine runs one statement at a time; meanwhile another answer is prepared or presented. */
export const COMPUTING_ON_ENGINE = 2

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
    if (this.#waiting.length === 0) this.#emptyAtMs = sinceMs
    this.#waiting.push({ sinceMs, enter: resolve, refuse })
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()?.refuse()
    return promise
  }

  /** The place of an answer that is done goes to the next; without one it falls free. */
  #handOver(): void {
    const now = this.#options.nowMs()
    const stands = this.#waiting.length > 0 && now - this.#emptyAtMs > STANDING_MS
    const next = stands ? this.#waiting.pop() : this.#waiting.shift()
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
