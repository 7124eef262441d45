/**
 * Monthly use of keys. Requests are counted in memory and added to the database every second, so a crash loses at most the last
 * two seconds and a clean stop loses none. Each write brings back the totals, in which the requests of other processes stand.
 */
import { LRUCache } from 'lru-cache'

const WRITE_EVERY_MS = 1_000
/** A total older than this is read again: other processes may have counted. */
const TOTAL_AGE_MS_MAX = 2 * WRITE_EVERY_MS
const KEYS_REMEMBERED_MAX = 200_000

export interface MonthlyUse {
  keyId: string
  /** First day of the month, YYYY-MM-DD. */
  month: string
  requests: number
}

export interface QuotaStore {
  /** Adds to what is stored, all of it or nothing; returns the new totals. */
  add(uses: MonthlyUse[]): Promise<MonthlyUse[]>
  read(keyId: string, month: string): Promise<number>
}

interface Total {
  requests: number
  askedAtMs: number
}

export class QuotaLedger implements AsyncDisposable {
  readonly #store: QuotaStore
  readonly #onError: (error: unknown) => void
  /** What the database said, by key and month. */
  readonly #totals = new LRUCache<string, Total>({ max: KEYS_REMEMBERED_MAX })
  readonly #reads = new Map<string, Promise<void>>()
  /** Counted here, not yet written. */
  #pending = new Map<string, MonthlyUse>()
  /** Being written; whether the database has them already is not known until the write ends. */
  #inFlight: ReadonlyMap<string, MonthlyUse> = new Map()
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  /** `onError` is told when a write failed; what it held is tried again a second later. */
  constructor(store: QuotaStore, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Requests of the key in that month: this process's up to now, other processes' up to two seconds ago. */
  async used(keyId: string, month: string): Promise<number> {
    const id = idOf(keyId, month)
    const total = this.#totals.get(id)
    const isFresh = total !== undefined && performance.now() - total.askedAtMs < TOTAL_AGE_MS_MAX
    if (!isFresh) await (this.#reads.get(id) ?? this.#startRead(id, keyId, month))
    return this.#known(id)
  }

  count(keyId: string, month: string): void {
    const id = idOf(keyId, month)
    const pending = this.#pending.get(id)
    if (pending !== undefined) pending.requests += 1
    else this.#pending.set(id, { keyId, month, requests: 1 })
    this.#writeSoon()
  }

  /** Writes what has been counted; what cannot be written is kept for the next time. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#writePending())
    return this.#writing
  }

  /** Writes for the last time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await this.write()
  }

  #writeSoon(): void {
    if (!this.#stopped) this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS)
  }

  async #writePending(): Promise<void> {
    if (this.#pending.size === 0) return
    this.#inFlight = this.#pending
    this.#pending = new Map()
    const askedAtMs = performance.now()
    try {
      const totals = await this.#store.add([...this.#inFlight.values()])
      for (const { keyId, month, requests } of totals) this.#learn(idOf(keyId, month), requests, askedAtMs)
    } catch (err) {
      for (const [id, use] of this.#inFlight) this.#keep(id, use)
      this.#writeSoon()
      this.#onError(err)
    }
    this.#inFlight = new Map()
  }

  #keep(id: string, use: MonthlyUse): void {
    const requests = use.requests + (this.#pending.get(id)?.requests ?? 0)
    this.#pending.set(id, { ...use, requests })
  }

  #startRead(id: string, keyId: string, month: string): Promise<void> {
    const reading = this.#read(id, keyId, month).finally(() => this.#reads.delete(id))
    this.#reads.set(id, reading)
    return reading
  }

  async #read(id: string, keyId: string, month: string): Promise<void> {
    const askedAtMs = performance.now()
    const stored = await this.#store.read(keyId, month)
    // A write at the same time may or may not be in what was read; once it has ended its own total says.
    while (this.#inFlight.has(id)) await this.#writing
    this.#learn(id, stored, askedAtMs)
  }

  /** Totals only grow, so of two the larger is the later. */
  #learn(id: string, requests: number, askedAtMs: number): void {
    this.#totals.set(id, { requests: Math.max(requests, this.#totals.get(id)?.requests ?? 0), askedAtMs })
  }

  #known(id: string): number {
    return [this.#totals, this.#inFlight, this.#pending].reduce((sum, uses) => sum + (uses.get(id)?.requests ?? 0), 0)
  }
}

function idOf(keyId: string, month: string): string {
  return `${keyId} ${month}`
}
