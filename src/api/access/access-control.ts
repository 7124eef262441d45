/** What decides whether a request is served: who holds a key, and how many requests a client has left. */
import type { KeyRing } from './key-ring.ts'
import type { MinuteLimiter } from './minute-limiter.ts'
import type { QuotaLedger } from './quota-ledger.ts'

export interface AccessControl {
  keys: Pick<KeyRing, 'judge'>
  /** Requests of a client in the current minute. */
  minutes: MinuteLimiter
  /** Requests of an address on the Open plan in the current day; undefined where they are not limited. */
  days: { limiter: MinuteLimiter; limit: number } | undefined
  /** The same by the day, for what else is counted so. */
  daily: MinuteLimiter
  quotas: Pick<QuotaLedger, 'used' | 'count'>
  /** The Open plan's rate, which an operator may raise. */
  openRequestsPerMinute: number
}
