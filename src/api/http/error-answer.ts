/** Turns every error into a response: the contract's JSON body, or a page for a browser outside `/v1`. */
import type { ErrorRequestHandler, Request, Response } from 'express'
import { requestFailed } from '../../platform/events.ts'
import { isDatabaseUnavailable } from '../../store/database-unavailable.ts'
import { PROBLEM_TYPE, toErrorBody, toProblemBody } from '../contract/error-body.ts'
import {
  ApiError,
  type ErrorCode,
  internalError,
  invalidParameter,
  temporarilyUnavailable,
} from '../contract/errors.ts'
import { RETRY_AFTER } from '../contract/headers.ts'
import { BASE_PATH } from '../contract/identity.ts'
import { corsHeaders } from './cors.ts'
import { endpointName } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { send, textBody } from './send.ts'
import type { Service } from './service.ts'

/** A restart or a failover of the database takes at most this long; anything longer is an outage. */
const DATABASE_RETRY_SECONDS = 10

/** RFC 9110 (15.5.2) requires every 401 to name its scheme; RFC 6750 (3.1) adds the problem with a token. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = { invalid_key: 'Bearer error="invalid_token"' }

interface ErrorAnswerOptions {
  service: Service
  security: SecurityHeaders
  /** The page shown instead of JSON to a browser outside `/v1`. */
  renderPage(err: ApiError, req: Request): string
}

export function errorAnswer({ service, security, renderPage }: ErrorAnswerOptions): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const err = toApiError(thrown)
    const context = contextOf(res)
    context.error = err
    const { endpoint } = context
    if (err.status >= 500 && !err.expected) {
      const facts = {
        endpoint: endpoint ? endpointName(endpoint) : req.path,
        status: err.status,
        cause: err.cause ?? err,
      }
      requestFailed(service.log, facts)
    }
    if (res.headersSent) {
      res.destroy() // an answer cut short must not look complete
      return
    }
    if (wantsPage(req)) {
      answer(res, err, ['Content-Type', 'text/html; charset=utf-8', ...security.pages], renderPage(err, req))
      return
    }
    const isProblem = wantsProblem(req)
    const headers = [
      'Content-Type',
      isProblem ? PROBLEM_TYPE : 'application/json; charset=utf-8',
      ...corsHeaders(endpoint?.plan ?? 'Open'),
      ...security.data,
    ]
    const body = (isProblem ? toProblemBody : toErrorBody)(err, service.config.baseUrl)
    answer(res, err, headers, JSON.stringify(body))
  }
}

function answer(res: Response, err: ApiError, headers: HeaderList, body: string): void {
  const details = [
    ...(err.retryAfterSeconds === undefined ? [] : [RETRY_AFTER, String(err.retryAfterSeconds)]),
    ...(err.allow === undefined ? [] : ['Allow', err.allow.join(', ')]),
    ...(err.status === 401 ? ['WWW-Authenticate', CHALLENGES[err.code] ?? 'Bearer'] : []),
  ]
  send(res, err.status, [...headers, 'Cache-Control', 'no-store', ...details], textBody(body))
}

/**
 * An unreachable database is 503 and the contract's `internal_error` ("service fault; the caller retries"); `no_data` would blame the source.
 * Any other error is 500.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isDatabaseUnavailable(thrown)) return temporarilyUnavailable(DATABASE_RETRY_SECONDS, thrown)
  // Express throws URIError if it cannot decode a path parameter.
  if (thrown instanceof URIError) return invalidParameter('path', 'contains malformed percent-encoding')
  return internalError(thrown)
}

/** Whether `Accept` lists problem details, even together with `application/json`, which then applies to successful responses. */
function wantsProblem(req: Request): boolean {
  const types = (req.headers.accept ?? '').toLowerCase().split(',')
  return types.some((type) => type.split(';', 1)[0]?.trim() === PROBLEM_TYPE && !/;\s*q=0(\.0*)?\s*$/.test(type))
}

function wantsPage(req: Request): boolean {
  const isApi = req.path === BASE_PATH || req.path.startsWith(`${BASE_PATH}/`)
  return !isApi && req.accepts(['json', 'html']) === 'html'
}
