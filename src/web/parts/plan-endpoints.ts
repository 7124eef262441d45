/** Which endpoints a plan has beyond those of the plan below it. */
import type { PlanName } from '../../api/contract/plans.ts'
import { endpoints } from '../../api/endpoints/index.ts'
import { type Endpoint, endpointStatus } from '../../api/http/endpoint.ts'

/** Live ones alone, in the order of the documentation; `coming`: paths that the operator has switched off. */
export function unlockedBy(plan: PlanName, coming: ReadonlySet<string>): Endpoint[] {
  return endpoints.filter((one) => one.plan === plan && endpointStatus(one, coming) === 'live')
}

/** Of the plan's section at `/plans`. */
export function planAnchor(plan: PlanName): string {
  return plan.toLowerCase()
}
