/** `Cache-Control` of an endpoint's answers. Spec: "Cross-cutting behaviour", 1; keyed answers are for their caller alone. */
import type { PlanName } from '../contract/plans.ts'
import { CACHE_TIMES, type Endpoint } from './endpoint.ts'

const STALE_SECONDS = 3600

/** `public, max-age=900, stale-while-revalidate=3600`; `private` for whoever sent a key, since the body may depend on the plan. */
export function cacheControl(endpoint: Pick<Endpoint, 'cache' | 'plan'>, callerPlan: PlanName = endpoint.plan): string {
  if (endpoint.cache === 'none') return 'no-store'
  const scope = endpoint.plan === 'Open' && callerPlan === 'Open' ? 'public' : 'private'
  return `${scope}, max-age=${CACHE_TIMES[endpoint.cache]}, stale-while-revalidate=${STALE_SECONDS}`
}
