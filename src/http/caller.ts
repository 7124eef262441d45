/**
 * Who asks. There are no keys yet, so everybody is the anonymous caller of the Open plan; this is the one place where keys will
 * turn a request into a plan. What the plan limits is copied here, because an operator may be more generous than the plan table:
 * for now the series has its complete history and CSV for everybody.
 */
import type { IncomingMessage } from 'node:http'
import { tierRequired } from '../contract/errors.ts'
import { FORMATS, type Format, type HistoryDepthDays, type PlanName, planIncludes } from '../contract/plans.ts'
import { type Endpoint, endpointName } from './endpoint.ts'

export interface Caller {
  plan: PlanName
  historyDepthDays: HistoryDepthDays
  formats: readonly Format[]
}

const ANYBODY: Caller = { plan: 'Open', historyDepthDays: 'complete', formats: FORMATS }

export function identifyCaller(_req: IncomingMessage): Caller {
  return ANYBODY
}

/** Refuses a caller whose plan does not include the endpoint. */
export function admit(caller: Caller, endpoint: Endpoint): void {
  if (!planIncludes(caller.plan, endpoint.plan)) throw tierRequired(endpoint.plan, endpointName(endpoint))
}
