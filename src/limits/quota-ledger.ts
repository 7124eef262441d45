/**
 * Monthly use of keys. Requests are counted in memory and added to the database every second, so a crash loses at most the last
 * two seconds and a clean stop loses none. Other processes' requests become visible with each write.
 */
import { LRUCache } from 'lru-cache'
import { marketDayOf, startOfMarketDay } from '../domain/market-day.ts'

const WRITE_EVERY_MS = 1_000
const KEYS_REMEMBERED_MAX = 200_000

export interface QuotaStore {
  add(uses: { keyId: string; month: string; requests: number }[]): Promise<void>
  read(keyId: string, month: string): Promise<number>
}

interface Tally {
  /** As the database said when it was last asked. */
  stored: number
  /** Counted here since, not yet written. */
  pending: number
  readAtMs: number
}

export class QuotaLedger {
  readonly #store: QuotaStore
  readonly #onError: (error: unknown) => void
  readonly #tallies = new LRUCache<string, Tally>({ max: KEYS_REMEMBERED_MAX })
  #pending = new Map<string, { keyId: string; month: string; requests: number }>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(store: QuotaStore, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Requests of the key in that month, other processes' included as of the last second or two. */
  async used(keyId: string, month: string): Promise<number> {
    const tally = this.#tallies.get(`${keyId} ${month}`)
    if (tally !== undefined && performance.now() - tally.readAtMs < 2 * WRITE_EVERY_MS)
      return tally.stored + tally.pending
    return this.#read(keyId, month)
  }

  /** The same where it is remembered, however old; for headers. */
  usedIfKnown(keyId: string, month: string): number | undefined {
    const tally = this.#tallies.get(`${keyId} ${month}`)
    return tally === undefined ? undefined : tally.stored + tally.pending
  }

  count(keyId: string, month: string): void {
    const key = `${keyId} ${month}`
    const tally = this.#tallies.get(key)
    if (tally !== undefined) tally.pending += 1
    const pending = this.#pending.get(key)
    if (pending !== undefined) pending.requests += 1
    else this.#pending.set(key, { keyId, month, requests: 1 })
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS)
  }

  /** Writes what has been counted; what cannot be written is kept for the next time. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#writePending())
    return this.#writing
  }

  async #writePending(): Promise<void> {
    const uses = [...this.#pending.values()]
    if (uses.length === 0) return
    this.#pending = new Map()
    try {
      await this.#store.add(uses)
      for (const { keyId, month, requests } of uses) this.#settle(`${keyId} ${month}`, requests)
    } catch (err) {
      this.#onError(err)
      for (const use of uses) this.#keep(use)
    }
  }

  #settle(key: string, written: number): void {
    const tally = this.#tallies.get(key)
    if (tally === undefined) return
    tally.stored += written
    tally.pending -= written
  }

  #keep(use: { keyId: string; month: string; requests: number }): void {
    const key = `${use.keyId} ${use.month}`
    const since = this.#pending.get(key)
    this.#pending.set(key, { ...use, requests: use.requests + (since?.requests ?? 0) })
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS)
  }

  async #read(keyId: string, month: string): Promise<number> {
    const stored = await this.#store.read(keyId, month)
    const key = `${keyId} ${month}`
    const pending = this.#pending.get(key)?.requests ?? 0
    this.#tallies.set(key, { stored, pending, readAtMs: performance.now() })
    return stored + pending
  }
}

export interface QuotaPeriod {
  /** First day of the calendar month in Europe/Rome, YYYY-MM-DD. */
  month: string
  startsAt: Temporal.Instant
  /** Start of the next month, when the quota starts anew. */
  endsAt: Temporal.Instant
}

/** The month an instant is counted in. */
export function quotaPeriod(now: Temporal.Instant): QuotaPeriod {
  const first = marketDayOf(now).with({ day: 1 })
  return {
    month: first.toString(),
    startsAt: startOfMarketDay(first),
    endsAt: startOfMarketDay(first.add({ months: 1 })),
  }
}
