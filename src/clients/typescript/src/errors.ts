import type { ErrorCode } from './api.generated.ts'

export interface ErrorDetails {
  status: number
  /** With `tier_required`: the plan that includes the endpoint. */
  requiredTier?: string | undefined
  /** The parameter at fault, with `invalid_parameter`. */
  param?: string | undefined
  /** Seconds after which asking again makes sense. */
  retryAfterSeconds?: number | undefined
  /** `X-Request-Id`, to quote in questions. */
  requestId?: string | undefined
}

/** A refusal by the service. `code` is the contract's; there is a class for each. */
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

/** The service was not reached, or its answer broke off, and repeating did not help. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** A webhook that is not authentic, or too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** A code that the client does not know yet does not compile here. */
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

/** The error that an answer is. */
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

/** Seconds, also of a date: from the time of the answer, where it says so, since the clock here may be another. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const fromMs = Date.parse(headers.get('date') ?? '') || Date.now()
  const ms = Date.parse(text) - fromMs
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1_000))
}
