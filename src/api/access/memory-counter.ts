import { type BatchCounter, type Counted, type Counter, type CountRequest, WINDOW_SECONDS } from './rate-limiter.ts'

interface Window {
  used: number
  endsAtMs: number
}

/** Counts in this process. */
export class MemoryCounter implements Counter, BatchCounter {
  readonly #windowMs: number
  /** Windows in order of expiry, since all have the same length. */
  readonly #windows = new Map<string, Window>()

  constructor(windowSeconds: number = WINDOW_SECONDS) {
    this.#windowMs = windowSeconds * 1000
  }

  /** Number of clients with a window. */
  get size(): number {
    return this.#windows.size
  }

  consume(client: string, limit: number): Counted {
    const nowMs = monotonicNowMs()
    const window = this.#openWindow(client, nowMs)
    const admitted = window.used < limit
    if (admitted) window.used += 1
    return { admitted, used: window.used, msLeft: window.endsAtMs - nowMs, window: String(window.endsAtMs) }
  }

  consumeAll(requests: readonly CountRequest[]): Counted[] {
    return requests.map(({ client, limit }) => this.consume(client, limit))
  }

  async refund(client: string, name: string): Promise<void> {
    const window = this.#windows.get(client)
    if (window !== undefined && String(window.endsAtMs) === name && window.used > 0) window.used -= 1
  }

  async peek(client: string) {
    const nowMs = monotonicNowMs()
    const window = this.#windows.get(client)
    return window === undefined || window.endsAtMs <= nowMs
      ? undefined
      : { used: window.used, msLeft: window.endsAtMs - nowMs }
  }

  #openWindow(client: string, nowMs: number): Window {
    this.#deleteEnded(nowMs)
    const known = this.#windows.get(client)
    if (known !== undefined) return known
    const opened = { used: 0, endsAtMs: nowMs + this.#windowMs }
    this.#windows.set(client, opened)
    return opened
  }

  #deleteEnded(nowMs: number): void {
    for (const [client, { endsAtMs }] of this.#windows) {
      if (endsAtMs > nowMs) return
      this.#windows.delete(client)
    }
  }
}

/** Truncated, because fractions would add up to slightly longer windows. */
function monotonicNowMs(): number {
  return Math.trunc(performance.now())
}
