/** Context of the current request; stored on its response, where every part of the HTTP layer finds it. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { redactKeys } from '../../platform/log.ts'
import { REQUEST_ID_PATTERN } from '../../platform/request-id.ts'
import type { RateWindow } from '../access/rate-limiter.ts'
import type { ApiError } from '../contract/errors.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Endpoint } from './endpoint.ts'

export interface RequestContext {
  id: string
  startedMs: number
  /** Set once path and method match an endpoint. */
  endpoint: Endpoint | undefined
  /** Bytes of the body sent, before HTTP framing. */
  bodyBytes: number | undefined
  /** Plan for the log; set once the caller is known. */
  plan: PlanName | undefined
  /** Whether the request was within the limits; it then counts even if it is refused later. */
  isAdmitted: boolean
  /** The error thrown outside Express, whose error handler responds. */
  thrown: unknown
  /** The error sent instead of the requested data; for the log. */
  error: Pick<ApiError, 'code' | 'expected'> | undefined
  /** The status by which the request counts, if it differs from that of the response: the refusal of a tool is sent with 200. */
  countsAs: number | undefined
  /** Called after the response, even if the client has aborted it. */
  afterResponse: ((status: number) => void)[]
  /** The client's remaining limits; `limit-headers.ts` shows it. */
  window: RateWindow | undefined
  quota: { left: number; isReserved: boolean } | undefined
}

const CONTEXT = Symbol('context')

interface Served extends ServerResponse {
  [CONTEXT]?: RequestContext
}

export function startContext(req: IncomingMessage, res: Served): RequestContext {
  const context: RequestContext = {
    id: requestIdOf(req.headers['x-request-id']),
    startedMs: performance.now(),
    endpoint: undefined,
    bodyBytes: undefined,
    plan: undefined,
    isAdmitted: false,
    thrown: undefined,
    error: undefined,
    countsAs: undefined,
    afterResponse: [],
    window: undefined,
    quota: undefined,
  }
  res[CONTEXT] = context
  return context
}

/** The caller's id if it is well-formed and not a key, else a new one. */
export function requestIdOf(callerId: string | string[] | undefined): string {
  const isUsable =
    typeof callerId === 'string' && REQUEST_ID_PATTERN.test(callerId) && redactKeys(callerId) === callerId
  return isUsable ? callerId : randomUUID()
}

/** Returns the context of a response; it is created before any other step. */
export function contextOf(res: Served): RequestContext {
  const context = res[CONTEXT]
  if (context === undefined) throw new Error('a response without a context')
  return context
}
