/** What a client has left of its limits, as headers of an answer. Spec: "Limits"; decisions: "Limits". */
import { type RateWindow, WINDOW_SECONDS } from '../access/rate-limiter.ts'
import { RATE_HEADERS, RATE_LIMIT, RATE_LIMIT_POLICY } from '../contract/headers.ts'
import type { RequestContext } from './request-context.ts'

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

/** Adds them to the list, for an answer with that status. */
export function addLimitHeaders(headers: string[], { window, quota }: RequestContext, status: number): void {
  if (window !== undefined) addWindow(headers, window)
  if (quota === undefined) return
  // What is left was counted with this request, which may turn out not to count.
  const left = quota.isReserved && !countsForQuota(status) ? quota.left + 1 : quota.left
  headers.push(QUOTA_REMAINING, String(Math.max(0, left)))
}

/** Every answered request but 401, 429 and 5xx, and 304, which costs the minute only. */
export function countsForQuota(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && status !== 304
}

function addWindow(headers: string[], { limit, remaining, resetSeconds }: RateWindow): void {
  const [total, left, seconds] = [String(limit), String(remaining), String(resetSeconds)]
  headers.push(
    LIMIT,
    total,
    REMAINING,
    left,
    RESET,
    seconds,
    RATE_LIMIT,
    `"minute";r=${left};t=${seconds}`,
    RATE_LIMIT_POLICY,
    `"minute";q=${total};w=${WINDOW_SECONDS}`,
  )
}
