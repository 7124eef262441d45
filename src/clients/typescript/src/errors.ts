import type { ErrorCode } from './api.generated.ts'

export interface ErrorDetails {
  status: number
  /** With `tier_required`: the plan that includes the endpoint. */
  requiredTier?: string | undefined
  /** With `invalid_parameter`: the name of the parameter. */
  param?: string | undefined
  /** Seconds to wait before retrying, from `Retry-After`. */
  retryAfterSeconds?: number | undefined
  /** `X-Request-Id` of the response, to quote in support requests. */
  requestId?: string | undefined
}

/** Error response of the service. Each `code` of the API contract has its own subclass. */
export class ApiError extends Error implements ErrorDetails {
  readonly code: ErrorCode
  readonly status: number
  readonly requiredTier: string | undefined
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.status = details.status
    this.requiredTier = details.requiredTier
    this.param = details.param
    this.retryAfterSeconds = details.retryAfterSeconds
    this.requestId = details.requestId
  }
}

export class InvalidParameterError extends ApiError {}
export class MissingKeyError extends ApiError {}
export class InvalidKeyError extends ApiError {}
export class TierRequiredError extends ApiError {}
export class NotFoundError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
export class RateLimitedError extends ApiError {}
export class QuotaExceededError extends ApiError {}
export class InternalError extends ApiError {}
export class NoDataError extends ApiError {}

/** The service could not be reached, or the response broke off, and no retry succeeded. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The webhook has an invalid signature, no ID, or a timestamp outside the tolerance. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Exhaustive: an error code without a class does not compile. */
const CLASSES: Record<ErrorCode, typeof ApiError> = {
  invalid_parameter: InvalidParameterError,
  missing_key: MissingKeyError,
  invalid_key: InvalidKeyError,
  tier_required: TierRequiredError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  rate_limited: RateLimitedError,
  quota_exceeded: QuotaExceededError,
  internal_error: InternalError,
  no_data: NoDataError,
}

/** Converts an error response to an instance of the class of its code. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Record<string, string | undefined>
  const code = (body.error ?? '') in CLASSES ? (body.error as ErrorCode) : 'internal_error'
  return new CLASSES[code](code, body.message ?? `The service answered ${response.status}.`, {
    status: response.status,
    requiredTier: body.required_tier,
    param: body.param,
    retryAfterSeconds: retryAfterOf(response.headers),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

/** Returns `Retry-After` in seconds. A date is relative to the response's `Date`, if sent, since the local clock may be off. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const fromMs = Date.parse(headers.get('date') ?? '') || Date.now()
  const ms = Date.parse(text) - fromMs
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1_000))
}
