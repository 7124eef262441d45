/**
 * Monthly usage of keys. A request is reserved in the database before it is answered, and refunded if it does not count, so that
 * all processes together never exceed a quota. While plenty is left, a process reserves ahead so that responses do not wait: about
 * as many requests as the key sends in a second, at most a hundredth of the remaining quota. Unused reservations are returned within two
 * seconds; a crash charges them, so it never grants additional requests.
 * Requests of keys without a quota are counted here and written every second. While the database cannot be written, so are those of
 * keys that are known to have quota left.
 */
import type { Awaitable } from '../../platform/awaitable.ts'
import type { ReachedQuota, UsageChange, UsageTotal } from '../../store/usage.ts'
import { boundedCache } from './key-cache.ts'

/** A total older than this is read again: other processes may have reserved or refunded. */
const SETTLE_EVERY_MS = 1_000
/** Share of the remaining quota that may be reserved ahead. */
const SHARE_AHEAD = 1 / 100
const ACCOUNTS_CACHED_MAX = 200_000
/** Percentages of a quota at which its holder is notified. */
const PERCENT_MARKS = [100, 80]

export interface QuotaStore {
  /** Applies all changes or none. An account without a total in the result was not changed: retry it. */
  change(changes: UsageChange[]): Promise<UsageTotal[]>
  /** Does nothing if it is already recorded, by another process or before a restart. */
  recordReached(reached: ReachedQuota): Promise<void>
}

interface Reservation {
  admitted: boolean
  /** Requests of the month, including this one if it is admitted. */
  used: number
}

interface Account {
  keyId: string
  month: string
  quota: number | undefined
  /** Reserved but unused; below zero: used but not written yet. */
  ahead: number
  /** Whether an exchange with the database is due or running. */
  isExchangePending: boolean
  /** Requests that wait for the next exchange. */
  waiting: number
  /** Requests in the current second and in the one before. */
  requests: number
  requestsBefore: number
  total: number
  totalAtMs: number
  /** The highest mark recorded. */
  percentRecorded: number
}

export class QuotaLedger implements AsyncDisposable {
  readonly #store: QuotaStore
  readonly #onError: (error: unknown) => void
  readonly #accounts = boundedCache<Account>(ACCOUNTS_CACHED_MAX)
  /** Accounts that have something to settle, now or soon. */
  readonly #active = new Set<Account>()
  readonly #due = new Set<Account>()
  /** Exchanges run one at a time, so that changes that arrive meanwhile are written together. */
  #exchanging: Promise<void> = Promise.resolve()
  #nextExchange: Promise<void> | undefined
  #failure: { error: unknown; atMs: number } | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  /** `onError` is called when the database could not be written. */
  constructor(store: QuotaStore, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Counts a request towards the month of the key. Without a `quota` it is always admitted. */
  reserve(keyId: string, month: string, quota: number | undefined): Awaitable<Reservation> {
    const account = this.#open(keyId, month)
    account.quota = quota
    account.requests += 1
    return quota === undefined || account.ahead > 0 ? this.#consume(account) : this.#reserveFirst(account, quota)
  }

  async #reserveFirst(account: Account, quota: number): Promise<Reservation> {
    while (account.ahead <= 0) {
      if (isRecent(account.totalAtMs) && account.total >= quota) return { admitted: false, used: account.total }
      try {
        await this.#exchange(account, 1)
      } catch (err) {
        if (!isKnown(account) || usedOf(account) >= quota) throw err
        break // on credit
      }
    }
    return this.#consume(account)
  }

  #consume(account: Account): Reservation {
    account.ahead -= 1
    const isLow = account.quota !== undefined && account.ahead < this.#targetAhead(account) / 2
    if (isLow && !account.isExchangePending) this.#exchange(account).catch(() => {})
    return { admitted: true, used: usedOf(account) }
  }

  /** Refunds a request that does not count. */
  refund(keyId: string, month: string): void {
    this.#open(keyId, month).ahead += 1
  }

  /** Returns the requests of the month, including those that other processes have reserved for the next second or two. */
  async used(keyId: string, month: string): Promise<number> {
    const account = this.#open(keyId, month)
    if (!isRecent(account.totalAtMs)) await this.#exchange(account)
    return usedOf(account)
  }

  /** Writes the counts and returns unused reservations. */
  async settle(): Promise<void> {
    for (const account of this.#active) {
      account.requestsBefore = account.requests
      account.requests = 0
      if (account.ahead !== this.#targetAhead(account)) this.#due.add(account)
      else if (account.ahead === 0 && account.requestsBefore === 0) this.#active.delete(account)
    }
    if (this.#due.size > 0) await this.#startExchange().catch(() => {})
    if (this.#active.size > 0) this.#scheduleSettle()
  }

  /** Settles for the last time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#startExchange().catch(() => {})
    await this.settle()
  }

  #open(keyId: string, month: string): Account {
    const id = idOf(keyId, month)
    let account = this.#accounts.get(id)
    if (account === undefined) {
      account = newAccount(keyId, month)
      this.#accounts.set(id, account)
    }
    this.#active.add(account)
    this.#scheduleSettle()
    return account
  }

  #scheduleSettle(): void {
    if (this.#stopped) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.settle()
    }, SETTLE_EVERY_MS)
  }

  #targetAhead(account: Account): number {
    const { quota, total, requests, requestsBefore } = account
    if (quota === undefined || this.#stopped || !isKnown(account)) return 0
    const share = Math.floor((quota - total) * SHARE_AHEAD)
    return Math.max(0, Math.min(Math.max(requests, requestsBefore), share))
  }

  /** Rejects if the database could not be reached, now or within the last second. */
  async #exchange(account: Account, waiting = 0): Promise<void> {
    if (this.#failure !== undefined && isRecent(this.#failure.atMs)) throw this.#failure.error
    account.waiting += waiting
    this.#due.add(account)
    account.isExchangePending = true
    return this.#startExchange()
  }

  #startExchange(): Promise<void> {
    this.#nextExchange ??= this.#exchanging
      .catch(() => {})
      .then(() => {
        this.#nextExchange = undefined
        this.#exchanging = this.#exchangeDue()
        return this.#exchanging
      })
    return this.#nextExchange
  }

  async #exchangeDue(): Promise<void> {
    if (this.#due.size === 0) return
    const accounts = new Map([...this.#due].map((account) => [idOf(account.keyId, account.month), account]))
    this.#due.clear()
    const changes = [...accounts.values()].map((account) => this.#changeOf(account))
    try {
      const totals = await this.#store.change(changes)
      const nowMs = performance.now()
      for (const { keyId, month, granted, total } of totals) {
        const account = accounts.get(idOf(keyId, month))
        if (account === undefined) throw new Error(`a total of ${keyId} that was not requested`)
        // Refunds were deducted before they were sent.
        account.ahead += Math.max(0, granted)
        // Usage on credit beyond the quota is forgiven.
        if (account.quota !== undefined && total >= account.quota) account.ahead = Math.max(0, account.ahead)
        account.total = total
        account.totalAtMs = nowMs
        this.#recordReached(account)
      }
      this.#failure = undefined
    } catch (err) {
      this.#failure = { error: err, atMs: performance.now() }
      this.#onError(err)
      throw err
    } finally {
      for (const account of accounts.values()) account.isExchangePending = this.#due.has(account)
    }
  }

  #recordReached(account: Account): void {
    const { keyId, month, quota = 0, total } = account
    const percent = PERCENT_MARKS.find((mark) => total * 100 >= quota * mark)
    if (quota === 0 || percent === undefined || percent <= account.percentRecorded) return
    account.percentRecorded = percent
    this.#store.recordReached({ keyId, month, percent, quota }).catch(() => {
      account.percentRecorded = 0 // retried with the next total
    })
  }

  /** Deducts refunds even if the write fails: a retry might refund them twice. */
  #changeOf(account: Account): UsageChange {
    const { keyId, month, quota } = account
    const requests = this.#targetAhead(account) + account.waiting - account.ahead
    account.waiting = 0
    account.ahead += Math.min(0, requests)
    account.total += Math.min(0, requests)
    return { keyId, month, quota, requests }
  }
}

function newAccount(keyId: string, month: string): Account {
  const nothingYet = {
    ahead: 0,
    isExchangePending: false,
    waiting: 0,
    requests: 0,
    requestsBefore: 0,
    total: 0,
    percentRecorded: 0,
  }
  return { keyId, month, quota: undefined, ...nothingYet, totalAtMs: Number.NEGATIVE_INFINITY }
}

function isKnown({ totalAtMs }: Account): boolean {
  return totalAtMs !== Number.NEGATIVE_INFINITY
}

function isRecent(atMs: number): boolean {
  return performance.now() - atMs < SETTLE_EVERY_MS
}

function usedOf({ total, ahead }: Account): number {
  return total - ahead
}

function idOf(keyId: string, month: string): string {
  return `${keyId} ${month}`
}
