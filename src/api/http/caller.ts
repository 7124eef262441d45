/** The caller of a request: anonymous on the Open plan, or the holder of a key. `identify-caller.ts` makes it. */
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { HistoryDepthDays, PlanName } from '../contract/plans.ts'

export interface Caller {
  plan: PlanName
  historyDepthDays: HistoryDepthDays
  /** The subject of the limits: the key, or the address. */
  client: string
  requestsPerMinute: number
  /** Undefined: no quota. */
  requestsPerMonth: number | undefined
  key: ApiKeyRecord | undefined
  /** Whether the month's usage already includes this request. */
  isCounted: boolean
}

/** The key of a caller on an endpoint that requires one. */
export function keyOf({ key }: Caller): ApiKeyRecord {
  if (key === undefined) throw new Error('a caller without a key was admitted')
  return key
}
