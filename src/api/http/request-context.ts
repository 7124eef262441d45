/** What is known of the request being served; kept on its response, where every part of the HTTP layer finds it. */
import { randomUUID } from 'node:crypto'
import type { Response } from 'express'
import { redactKeys } from '../../platform/log.ts'
import { REQUEST_ID_FORM } from '../../platform/request-id.ts'
import type { ApiError } from '../contract/errors.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'

export interface RequestContext {
  id: string
  startedMs: number
  /** Set once path and method match an endpoint. */
  endpoint: Endpoint | undefined
  /** Of the body sent, before HTTP framing. */
  bodyBytes: number | undefined
  /** Once the caller is known; for the log. */
  plan: PlanName | undefined
  /** Within the limits: what is refused after that was worked on, and counts. */
  isAdmitted: boolean
  /** The error sent instead of the requested data; for the log. */
  error: Pick<ApiError, 'code' | 'expected'> | undefined
  /** What remains to be done once the response is over, whether or not the client waited for it. */
  afterwards: ((status: number) => void)[]
  /** What the client has left of its limits, as headers of an answer with that status. */
  limitHeaders: (status: number) => HeaderList
}

const noLimits = (): HeaderList => []

export function startContext(res: Response, callerId: string | string[] | undefined): RequestContext {
  const context: RequestContext = {
    id: requestIdOf(callerId),
    startedMs: performance.now(),
    endpoint: undefined,
    bodyBytes: undefined,
    plan: undefined,
    isAdmitted: false,
    error: undefined,
    afterwards: [],
    limitHeaders: noLimits,
  }
  res.locals.context = context
  return context
}

/** The caller's id if it is well-formed and not a key, else a new one. */
export function requestIdOf(callerId: string | string[] | undefined): string {
  const isUsable = typeof callerId === 'string' && REQUEST_ID_FORM.test(callerId) && redactKeys(callerId) === callerId
  return isUsable ? callerId : randomUUID()
}

/** Every response has a context: the first middleware makes it. */
export function contextOf(res: Response): RequestContext {
  return res.locals.context as RequestContext
}
