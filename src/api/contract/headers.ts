/** Names of the response headers that clients may rely on, each written once. */

export const REQUEST_ID = 'X-Request-Id'
/** The plan that would have allowed the days that were cut off. */
export const INTERVAL_TRUNCATED = 'X-Interval-Truncated'
export const RETRY_AFTER = 'Retry-After'

/** Spec: "Limits", rate-limit headers. */
export const RATE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Remaining',
] as const

/** The same for one window, as the IETF's draft of `RateLimit` fields has it. */
export const RATE_LIMIT = 'RateLimit'
export const RATE_LIMIT_POLICY = 'RateLimit-Policy'

/** Headers that a script in a browser may read from an Open endpoint, beside those that browsers always expose. */
export const EXPOSED_HEADERS = [
  REQUEST_ID,
  'ETag',
  RETRY_AFTER,
  INTERVAL_TRUNCATED,
  ...RATE_HEADERS,
  RATE_LIMIT,
  RATE_LIMIT_POLICY,
] as const
