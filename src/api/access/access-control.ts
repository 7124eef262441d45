/** Authentication and rate limits: the holder of a key, and the client's remaining requests. */
import type { KeyCache } from './key-cache.ts'
import type { QuotaLedger } from './quota-ledger.ts'
import type { RateLimiter } from './rate-limiter.ts'

export interface AccessControl {
  keys: Pick<KeyCache, 'verify' | 'recall'>
  /** Requests per client in the current minute. */
  minutes: RateLimiter
  /** Requests per IP address on the Open plan in the current day; undefined if they are not limited. */
  days: { limiter: RateLimiter; limit: number } | undefined
  /** Counts per hour. */
  hourly: RateLimiter
  /** Other counts per day. */
  daily: RateLimiter
  quotas: Pick<QuotaLedger, 'used' | 'reserve' | 'refund'>
  /** Rate limit of the Open plan; the operator may raise it. */
  openRequestsPerMinute: number
  /** Rate limit of the web pages; the operator may raise it. */
  pageRequestsPerMinute: number
}
