/** The caller of a request: anonymous on the Open plan, or the holder of a key. `identify-caller.ts` makes it. */
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { Format, HistoryDepthDays, PlanName } from '../contract/plans.ts'

export interface Caller {
  plan: PlanName
  historyDepthDays: HistoryDepthDays
  /** Formats of the daily series. */
  formats: readonly Format[]
  /** The subject of the limits: the key, or the address. */
  client: string
  requestsPerMinute: number
  /** Undefined: no quota. */
  requestsPerMonth: number | undefined
  key: ApiKeyRecord | undefined
  /** Whether the month's usage already includes this request. */
  isCounted: boolean
}
