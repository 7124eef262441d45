/** A client's remaining limits, as response headers. Spec: "Limits"; decisions: "Limits". */
import { type RateWindow, WINDOW_SECONDS } from '../access/rate-limiter.ts'
import { RATE_HEADERS, RATE_LIMIT, RATE_LIMIT_POLICY } from '../contract/headers.ts'
import type { HeaderList } from './headers.ts'
import type { RequestContext } from './request-context.ts'

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

/** Headers of the limits for an answer with that status. */
export function limitHeaders({ window, quota }: RequestContext, status: number): HeaderList {
  const ofWindow = window === undefined ? NONE : windowHeaders(window)
  if (quota === undefined) return ofWindow
  // `left` has already been reduced by this request, which may turn out not to count.
  const left = quota.isReserved && !countsForQuota(status) ? quota.left + 1 : quota.left
  return [...ofWindow, QUOTA_REMAINING, String(Math.max(0, left))]
}

const NONE: HeaderList = []

/** Whether a request counts towards the month: all do except 401, 429, 5xx, and 304, which counts for the minute only. */
export function countsForQuota(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && status !== 304
}

function windowHeaders({ limit, remaining, resetSeconds }: RateWindow): HeaderList {
  const { limitText, policy } = ofLimit.getOrInsertComputed(limit, textsOf)
  return [
    LIMIT,
    limitText,
    REMAINING,
    String(remaining),
    RESET,
    String(resetSeconds),
    RATE_LIMIT,
    `"minute";r=${remaining};t=${resetSeconds}`,
    RATE_LIMIT_POLICY,
    policy,
  ]
}

/** Keyed by limit: plans, keys and pages have few different limits. */
const ofLimit = new Map<number, { limitText: string; policy: string }>()

function textsOf(limit: number) {
  return { limitText: String(limit), policy: `"minute";q=${limit};w=${WINDOW_SECONDS}` }
}
