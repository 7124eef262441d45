/** The answers of an operation in the OpenAPI document: the reply, 304 of one that reads, and the errors it may give. */
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { errorBody } from '../contract/error-body.ts'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { RATE_HEADERS, REQUEST_ID, RETRY_AFTER } from '../contract/headers.ts'
import { cacheControl } from './cache-control.ts'
import { toCsv } from './csv.ts'
import { type Endpoint, successStatus } from './endpoint.ts'
import { MEDIA_TYPES } from './negotiate.ts'

/** What every endpoint may answer: parameters, keys and limits are checked strictly everywhere, and anything can break. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_parameter',
  'missing_key',
  'invalid_key',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
]
/** And what those that need a key may answer besides. */
const KEYED: readonly ErrorCode[] = ['tier_required']

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

const requestId = z.string().meta({
  description:
    'Id of the request, the caller’s where it sent one of 8-64 letters, digits, dots, dashes and underscores.',
  example: '0f8fad5b-d9cb-469f-a165-70867728950e',
})
const retryAfter = z.int().nonnegative().meta({ description: 'Seconds to wait before asking again.', example: 3600 })
const limits = {
  [LIMIT]: z.string().meta({ description: 'Requests allowed per minute for the caller.', example: '600' }),
  [REMAINING]: z.string().meta({ description: 'Requests left in the current minute.', example: '599' }),
  [RESET]: z.string().meta({ description: 'Whole seconds until the minute ends.', example: '42' }),
  [QUOTA_REMAINING]: z
    .string()
    .optional()
    .meta({ description: 'Requests left of the monthly quota, where there is one.', example: '98760' }),
}
const etag = z.string().meta({ description: 'Strong entity tag of the body.', example: '"3q2-7wAAAAA"' })

export function replyResponse(endpoint: Endpoint): ZodOpenApiResponseObject {
  if (successStatus(endpoint) === 204) {
    return { description: 'Done.', headers: z.object({ [REQUEST_ID]: requestId, ...limits }) }
  }
  const caching = z.string().meta({ description: 'How long the answer may be kept.', example: cacheControl(endpoint) })
  return {
    description: endpoint.summary,
    headers: z.object({ [REQUEST_ID]: requestId, ETag: etag, 'Cache-Control': caching, ...limits }),
    content: {
      'application/json': { schema: endpoint.reply, example: endpoint.example },
      ...(endpoint.csv && {
        'text/csv': { schema: z.string(), example: toCsv(endpoint.csv(endpoint.example)) },
      }),
      ...(endpoint.arrow && {
        [MEDIA_TYPES.arrow]: { schema: z.string().meta({ format: 'binary' }), example: 'an Arrow IPC stream' },
      }),
    },
  }
}

/** By status; several errors with one status share a response. */
export function errorResponses(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const codes = [...new Set([...ALWAYS, ...(endpoint.plan === 'Open' ? [] : KEYED), ...endpoint.fails])]
  const byStatus = Map.groupBy(codes, (code) => String(ERRORS[code].status))
  const responses = Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, group)]))
  // The database out of reach: internal_error with 503.
  responses['503'] ??= errorResponse('503', ['internal_error'])
  return { ...(endpoint.method === 'get' && { '304': notModified }), ...responses }
}

const notModified: ZodOpenApiResponseObject = {
  description: 'The body is the one that `If-None-Match` names.',
  headers: z.object({ [REQUEST_ID]: requestId, ETag: etag, ...limits }),
}

function errorResponse(status: string, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const waits = status === '503' || status === '429'
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: z.object({ [REQUEST_ID]: requestId, ...limits, ...(waits && { [RETRY_AFTER]: retryAfter }) }),
    content: { 'application/json': { schema: errorBody } },
  }
}
