/** Authentication and rate limits: the holder of a key, and the client's remaining requests. */
import type { KeyCache } from './key-cache.ts'
import type { QuotaLedger } from './quota-ledger.ts'
import type { RateLimiter } from './rate-limiter.ts'

export interface AccessControl {
  keys: Pick<KeyCache, 'verify' | 'recall'>
  /** Requests of a client in the current minute. */
  minutes: RateLimiter
  /** Requests of an address on the Open plan in the current day; undefined where they are not limited. */
  days: { limiter: RateLimiter; limit: number } | undefined
  /** Counts per hour. */
  hourly: RateLimiter
  /** Other counts per day. */
  daily: RateLimiter
  quotas: Pick<QuotaLedger, 'used' | 'reserve' | 'refund'>
  /** The Open plan's rate, which an operator may raise. */
  openRequestsPerMinute: number
  /** The same for the pages. */
  pageRequestsPerMinute: number
}
