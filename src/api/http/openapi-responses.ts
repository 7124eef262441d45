/** Responses of an operation in the OpenAPI document: the reply, 304 and 412 for GET, and the errors it may return. */
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { errorBody, PROBLEM_TYPE, problemBody } from '../contract/error-body.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../contract/errors.ts'
import { OWN_HEADERS, type OwnHeader, RATE_HEADERS, REQUEST_ID, RETRY_AFTER } from '../contract/headers.ts'
import { toCsv } from './csv-table.ts'
import { type Endpoint, successStatus } from './endpoint.ts'
import { EVENT_STREAM, MEDIA_TYPES } from './negotiate.ts'

/** Responses common to all endpoints: parameters, keys and limits are checked strictly everywhere, and any request can fail. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_parameter',
  'missing_key',
  'invalid_key',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
]
/** Additional errors of endpoints that need a key. */
const KEYED: readonly ErrorCode[] = ['tier_required']

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

/** Declares a header that the document defines once, under its own name. */
function header<T extends z.ZodType>(name: string, schema: T, description: string, example: unknown): T {
  return schema.meta({ description, example, header: { id: name } })
}

const requestId = header(
  REQUEST_ID,
  z.string(),
  'Id of the request, the caller’s where it sent one of 8-64 letters, digits, dots, dashes and underscores.',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
)
const retryAfter = header(RETRY_AFTER, z.int().nonnegative(), 'Seconds to wait before asking again.', 3600)
const limits = {
  [LIMIT]: header(LIMIT, z.string(), 'Requests allowed per minute for the caller.', '600'),
  [REMAINING]: header(REMAINING, z.string(), 'Requests left in the current minute.', '599'),
  [RESET]: header(RESET, z.string(), 'Whole seconds until the minute ends.', '42'),
  [QUOTA_REMAINING]: header(
    QUOTA_REMAINING,
    z.string().optional(),
    'Requests left of the monthly quota, where there is one.',
    '98760',
  ),
}
const etag = header('ETag', z.string(), 'Strong entity tag of the body.', '"3q2-7wAAAAA"')
const caching = header('Cache-Control', z.string(), 'How long the answer may be kept.', 'public, max-age=900')

const commonHeaders = { [REQUEST_ID]: requestId, 'Cache-Control': caching, ...limits }

const OWN = Object.fromEntries(
  Object.entries(OWN_HEADERS).map(([name, description]) => [
    name,
    z
      .string()
      .optional()
      .meta({ description, header: { id: name } }),
  ]),
) as Record<OwnHeader, z.ZodOptional<z.ZodString>>
const location = header('Location', z.string(), 'Path of what was created.', '/v1/webhooks/whk_5k2m9q7x1c4d8f3g')
const CREATED = { 201: 'Created.', 202: 'Accepted: it is being made.' }

export function replyResponse(endpoint: Endpoint): ZodOpenApiResponseObject {
  if (successStatus(endpoint) === 204) return { description: 'Done.', headers: z.object(commonHeaders) }
  if (endpoint.stream) {
    const { example } = endpoint
    return {
      description: 'Events until either side ends, each with the JSON of a `Change` as its `data`.',
      headers: z.object(commonHeaders),
      content: {
        [EVENT_STREAM]: {
          schema: z.string(),
          example: `id: …\nevent: day.published\ndata: ${JSON.stringify(example)}\n\n`,
        },
      },
    }
  }
  return {
    description: endpoint.creates ? CREATED[endpoint.creates] : 'OK.',
    headers: z.object({
      ...commonHeaders,
      ...(endpoint.method === 'get' && { ETag: etag }),
      ...(endpoint.creates && { Location: location }),
      ...Object.fromEntries((endpoint.headerNames ?? []).map((name) => [name, OWN[name]])),
    }),
    content: {
      'application/json': { schema: endpoint.reply, example: endpoint.example },
      ...(endpoint.table && {
        'text/csv': { schema: z.string(), example: toCsv(endpoint.table(endpoint.example)) },
      }),
      ...(endpoint.ics && {
        [MEDIA_TYPES.ics]: { schema: z.string(), example: 'BEGIN:VCALENDAR…' },
      }),
      ...(endpoint.arrow && {
        [MEDIA_TYPES.arrow]: { schema: z.string().meta({ format: 'binary' }), example: 'an Arrow IPC stream' },
      }),
    },
  }
}

export function errorCodes(endpoint: Endpoint): ErrorCode[] {
  return [...new Set([...ALWAYS, ...(endpoint.plan === 'Open' ? [] : KEYED), ...endpoint.fails])]
}

/** Responses by status; several errors with one status share a response. */
export function errorResponses(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(errorCodes(endpoint), (code) => String(ERRORS[code].status))
  const responses = Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, group)]))
  // The database is unreachable: internal_error with 503.
  responses['503'] ??= errorResponse('503', ['internal_error'])
  return {
    ...(endpoint.method === 'get' && !endpoint.stream && { '304': notModified, '412': preconditionFailed }),
    ...responses,
  }
}

const notModified: ZodOpenApiResponseObject = {
  id: '304',
  description: 'The body is the one that `If-None-Match` names.',
  headers: z.object({ ...commonHeaders, ETag: etag }),
}

const preconditionFailed: ZodOpenApiResponseObject = {
  id: '412',
  description: '`invalid_parameter`: `If-Match` does not name the body as it is now.',
  headers: z.object(commonHeaders),
  content: { 'application/json': { schema: errorBody }, [PROBLEM_TYPE]: { schema: problemBody } },
}

/** One object for each set of codes, so that the document defines it once; named by its status if it has all codes of that status. */
const errorResponsesById = new Map<string, ZodOpenApiResponseObject>()

function errorResponse(status: string, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const hasRetryAfter = status === '503' || status === '429'
  const hasAllCodes = ERROR_CODES.every((code) => String(ERRORS[code].status) !== status || codes.includes(code))
  const id = hasAllCodes ? status : [status, ...codes].join('_')
  const response = errorResponsesById.get(id) ?? {
    id,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: z.object({ ...commonHeaders, ...(hasRetryAfter && { [RETRY_AFTER]: retryAfter }) }),
    content: { 'application/json': { schema: errorBody }, [PROBLEM_TYPE]: { schema: problemBody } },
  }
  errorResponsesById.set(id, response)
  return response
}
