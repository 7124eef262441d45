/** Open endpoints can be called from scripts in a browser; the others need a key, which does not belong there. Spec: "Cross-cutting behaviour", 2. */
import { EXPOSED_HEADERS, REQUEST_ID } from '../contract/headers.ts'
import type { PlanName } from '../contract/plans.ts'
import type { HeaderList } from './headers.ts'

const PREFLIGHT_SECONDS = '86400'

const OPEN: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS.join(', '),
]

/** Headers of every response, including errors: without them a script could not read the error. */
export function corsHeaders(plan: PlanName): HeaderList {
  return plan === 'Open' ? OPEN : []
}

/** Headers of the answer to OPTIONS. `allow`: the methods that the path supports. */
export function preflightHeaders(plan: PlanName, allow: readonly string[]): HeaderList {
  const always = ['Allow', allow.join(', ')]
  if (plan !== 'Open') return always
  return [
    ...always,
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    allow.join(', '),
    'Access-Control-Allow-Headers',
    `Accept, Content-Type, If-None-Match, ${REQUEST_ID}`,
    'Access-Control-Max-Age',
    PREFLIGHT_SECONDS,
  ]
}
