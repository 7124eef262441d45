/**
 * The error table of the contract and one small constructor per error. Only `message` and the public fields leave the process;
 * a `cause` is for the log. Spec: "Errors".
 */

import { counted } from '../../market/counted.ts'
import type { PlanName } from './plans.ts'

interface ErrorDefinition {
  status: number
  /** Meaning and remedy, for the docs page and OpenAPI. */
  meaning: string
}

export const ERRORS = {
  invalid_parameter: { status: 400, meaning: 'A parameter is missing or invalid; `param` names it.' },
  missing_key: { status: 401, meaning: 'The endpoint needs a key and none was sent.' },
  invalid_key: { status: 401, meaning: 'The key is wrong, expired or revoked.' },
  tier_required: {
    status: 403,
    meaning:
      'The endpoint or the requested interval is not included in the caller’s plan; `required_tier` gives the plan that includes it.',
  },
  not_found: { status: 404, meaning: 'Unknown endpoint or resource.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists but not with this method; the header `Allow` lists those it has.',
  },
  rate_limited: { status: 429, meaning: 'Per-minute limit exceeded. `Retry-After` gives the seconds to wait.' },
  quota_exceeded: { status: 429, meaning: 'Monthly quota exceeded. `Retry-After` gives the seconds to wait.' },
  internal_error: {
    status: 500,
    meaning:
      'Service fault: try again, and report the header `X-Request-Id` if it persists. With status 503 and `Retry-After` the database ' +
      'is temporarily unreachable, or the service is overloaded.',
  },
  no_data: {
    status: 503,
    meaning:
      'The source has not yet published the value. `Retry-After` gives the seconds to its next expected publication.',
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

interface Details {
  status?: number
  requiredTier?: PlanName
  param?: string
  retryAfterSeconds?: number
  /** Methods that the path supports. */
  allow?: readonly string[]
  /** Not an internal error: it needs no investigation. */
  expected?: boolean
  cause?: unknown
}

/** An error sent to the client: everything but `cause` and `stack` is public. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly requiredTier: PlanName | undefined
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined
  readonly expected: boolean

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = details.status ?? ERRORS[code].status
    this.requiredTier = details.requiredTier
    this.param = details.param
    this.retryAfterSeconds = details.retryAfterSeconds
    this.allow = details.allow
    this.expected = details.expected ?? code === 'no_data'
  }
}

/** `invalidParameter('from', 'must not be empty')`: the message starts with the parameter's name. */
export function invalidParameter(param: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `${param} ${problem}.`, { param })
}

/** `detail` states how to send the key. */
export function missingKey(detail: string): ApiError {
  return new ApiError('missing_key', detail)
}

export function invalidKey(detail: string): ApiError {
  return new ApiError('invalid_key', detail)
}

/** `what` names in words what is limited. */
export function rateLimited(limit: number, retryAfterSeconds: number, what = 'requests'): ApiError {
  const message = `More than ${limit} ${what} in a minute. Try again in ${counted(retryAfterSeconds, 'second')}, then less often.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}

/** The caller has reached its maximum number of open streams. */
export function tooManyStreams(who: 'key' | 'address', max: number, retryAfterSeconds: number): ApiError {
  const message = `The ${who} has ${counted(max, 'stream')} open, as many as are allowed. Close one, or try again in ${counted(retryAfterSeconds, 'second')}.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}

/** `quota`: in words, such as `10,000 requests a month`. */
export function quotaExceeded(quota: string, retryAfterSeconds: number): ApiError {
  return new ApiError('quota_exceeded', `The quota of ${quota} is used up.`, { retryAfterSeconds })
}

export function tierRequired(requiredTier: PlanName, subject: string): ApiError {
  return new ApiError('tier_required', `${subject} is included from the ${requiredTier} plan on.`, { requiredTier })
}

export function notFound(message: string): ApiError {
  return new ApiError('not_found', message)
}

export function methodNotAllowed(method: string, allow: readonly string[]): ApiError {
  return new ApiError('method_not_allowed', `${method} is not possible here; use ${allow.join(', ')}.`, { allow })
}

export function internalError(cause?: unknown): ApiError {
  return new ApiError('internal_error', 'Something went wrong on our side. Please try again.', { cause })
}

/** The database is temporarily unreachable: a service fault in the terms of the contract, with status 503 and `Retry-After`. */
export function temporarilyUnavailable(retryAfterSeconds: number, cause?: unknown): ApiError {
  const message = 'The service cannot reach its data at the moment. Please try again shortly.'
  return new ApiError('internal_error', message, { status: 503, retryAfterSeconds, cause })
}

/** The service is overloaded. */
export function overloaded(retryAfterSeconds: number): ApiError {
  const message = 'The service has more requests than it can answer at the moment. Please try again shortly.'
  return new ApiError('internal_error', message, { status: 503, retryAfterSeconds, expected: true })
}

/** `noData('PUN of 2026-11-21', 3600)`. `next` is a sentence that states what to do, with a leading space. */
export function noData(subject: string, retryAfterSeconds: number, next = ''): ApiError {
  return new ApiError('no_data', `${subject} is not published yet.${next}`, { retryAfterSeconds })
}

/** Same as `noData`, with a whole sentence as the message. */
export function noDataBecause(sentence: string, retryAfterSeconds: number): ApiError {
  return new ApiError('no_data', sentence, { retryAfterSeconds })
}
