/** Names of the response headers that clients may rely on, each written once. */

export const REQUEST_ID = 'X-Request-Id'
/** The plan that would have allowed the days that were cut off. */
export const INTERVAL_TRUNCATED = 'X-Interval-Truncated'
export const RETRY_AFTER = 'Retry-After'

/** Headers of single endpoints, with their descriptions in the OpenAPI document. */
export const OWN_HEADERS = {
  [INTERVAL_TRUNCATED]: 'The plan that would have allowed the days that were cut off.',
  'X-Data-Version': 'The version of the data that the query has read.',
  'X-Rows-Truncated': 'How many rows the answer has, where there were more.',
  'X-Next-Cursor': '`cursor` of the next page, where there is one.',
  Link: 'The next page, where there is one: `rel="next"`, relative to the request.',
} as const
export type OwnHeader = keyof typeof OWN_HEADERS

/** Value of the `Link` header to the next page (RFC 8288). */
export function nextPage(query: Record<string, string | number>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return `<?${new URLSearchParams(texts)}>; rel="next"`
}

/** Spec: "Limits", rate-limit headers. */
export const RATE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Remaining',
] as const

/** The same for one window, as in the IETF draft of the `RateLimit` header fields. */
export const RATE_LIMIT = 'RateLimit'
export const RATE_LIMIT_POLICY = 'RateLimit-Policy'

/** Headers of Open endpoints that scripts in a browser may read, in addition to those that browsers always expose. */
export const EXPOSED_HEADERS = [
  REQUEST_ID,
  'ETag',
  RETRY_AFTER,
  INTERVAL_TRUNCATED,
  ...RATE_HEADERS,
  RATE_LIMIT,
  RATE_LIMIT_POLICY,
] as const
