/** `Cache-Control` of an endpoint's answers. Spec: "Cross-cutting behaviour", 1; responses to requests with a key are private. */
import type { PlanName } from '../contract/plans.ts'
import { CACHE_TIMES, type Endpoint } from './endpoint.ts'

const STALE_SECONDS = 3600
const QUARTER_HOUR_MS = 900_000

/** `public, max-age=900, stale-while-revalidate=3600`; `private` for requests with a key, since the body may depend on the plan. */
export function cacheControl(endpoint: Pick<Endpoint, 'cache' | 'plan'>, callerPlan: PlanName = endpoint.plan): string {
  if (endpoint.cache === 'none') return 'no-store'
  if (endpoint.cache === 'quarter-hour') return untilEndOf(0, 0, endpoint, callerPlan)
  return `${scopeOf(endpoint, callerPlan)}, max-age=${CACHE_TIMES[endpoint.cache]}, stale-while-revalidate=${STALE_SECONDS}`
}

/** Cache-Control of an answer about the quarter-hour `quarter`, sent at `nowMs`: it expires with the quarter-hour. */
export function untilEndOf(
  quarter: number,
  nowMs: number,
  endpoint: Pick<Endpoint, 'plan'>,
  callerPlan: PlanName,
): string {
  const left = Math.max(0, Math.floor(((quarter + 1) * QUARTER_HOUR_MS - nowMs) / 1000))
  return `${scopeOf(endpoint, callerPlan)}, max-age=${left}, must-revalidate`
}

/** Number of the quarter-hour since 1970; hours and market days end with one. */
export function quarterHourOf(ms: number): number {
  return Math.floor(ms / QUARTER_HOUR_MS)
}

function scopeOf({ plan }: Pick<Endpoint, 'plan'>, callerPlan: PlanName): 'public' | 'private' {
  return plan === 'Open' && callerPlan === 'Open' ? 'public' : 'private'
}
