/** Turns the reply of a handler into the bytes and headers of a successful response. */

import { replyBrokeContract } from '../../platform/events.ts'
import { internalError } from '../contract/errors.ts'
import { BASE_PATH } from '../contract/identity.ts'
import { type ArrowTable, toArrow } from './arrow.ts'
import { cacheControl } from './cache-control.ts'
import type { Caller } from './caller.ts'
import { corsHeaders } from './cors.ts'
import { type ReplyTable, toCsv } from './csv-table.ts'
import { type CalendarFile, type Deprecation, type Endpoint, endpointName } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { EVENT_STREAM, MEDIA_TYPES } from './negotiate.ts'
import { addUtc, addUtcColumns, type Presentation } from './presentation.ts'
import type { Service } from './service.ts'
import { StoredAnswer } from './stored-answer.ts'

interface Presented {
  endpoint: Endpoint
  presentation: Presentation
  reply: unknown
  query: Record<string, unknown>
  caller: Caller
  service: Service
  security: HeaderList
}

export function presentAnswer({
  endpoint,
  presentation,
  reply,
  query,
  caller,
  service,
  security,
}: Presented): StoredAnswer | Promise<StoredAnswer> {
  if (service.config.environment !== 'production') checkReply(endpoint, reply, service)
  const always = [
    ...alwaysHeaders(endpoint, caller, security),
    ...(endpoint.creates ? ['Location', locationOf(endpoint, reply as { id: string })] : []),
    ...(endpoint.headers?.(reply, query) ?? []),
  ]
  const { format, withUtc } = presentation
  if (format === 'csv' && endpoint.table) return csvAnswer(endpoint.table(reply), presentation, always)
  if (format === 'arrow' && endpoint.arrow) return arrowAnswer(endpoint.arrow(reply), always)
  if (format === 'ics' && endpoint.ics) return calendarAnswer(endpoint.ics(reply), always)
  const label = caller.key?.attribution ?? undefined
  const shown = withUtc ? addUtc(reply) : reply
  const json = label === undefined ? JSON.stringify(shown) : JSON.stringify(shown, whiteLabel(label))
  const body = json ?? '' // an empty reply
  return new StoredAnswer(body, { contentType: 'application/json; charset=utf-8', always, withBody: [] })
}

function locationOf({ path }: Endpoint, { id }: { id: string }): string {
  return `${BASE_PATH}${path}/${id}`
}

/** A reply that does not fit its schema is an internal error, never a silent change of contract. */
function checkReply(endpoint: Endpoint, reply: unknown, service: Service): void {
  const result = endpoint.reply.safeParse(reply)
  if (result.success) return
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  replyBrokeContract(service.log, { endpoint: endpointName(endpoint), problems })
  throw internalError(new Error(`reply of ${endpointName(endpoint)} does not fit its schema: ${problems}`))
}

/** Replaces every attribution by the text of a white-label key; the OpenAPI document also has a schema by that name. */
function whiteLabel(text: string) {
  return (name: string, value: unknown) => (name === 'attribution' && typeof value === 'string' ? text : value)
}

export function alwaysHeaders(endpoint: Endpoint, caller: Caller, security: HeaderList): HeaderList {
  const isNegotiated = endpoint.formats.length > 1
  return [
    // For a quarter-hour it depends on when the response is sent, and is set then.
    ...(endpoint.cache === 'quarter-hour' ? [] : ['Cache-Control', cacheControl(endpoint, caller.plan)]),
    'Vary',
    isNegotiated ? 'Accept, Accept-Encoding, Authorization' : 'Accept-Encoding, Authorization',
    ...corsHeaders(endpoint.plan),
    ...deprecationHeaders(endpoint.deprecation),
    ...security,
  ]
}

/** Headers that keep proxies from buffering events. */
export function streamHeaders(security: HeaderList): HeaderList {
  return [
    'Content-Type',
    `${EVENT_STREAM}; charset=utf-8`,
    'Cache-Control',
    'no-store',
    'X-Accel-Buffering',
    'no',
    'Vary',
    'Authorization',
    ...security,
  ]
}

function csvAnswer(table: ReplyTable, { csv, withUtc }: Presentation, always: HeaderList): StoredAnswer {
  return new StoredAnswer(toCsv(withUtc ? addUtcColumns(table) : table, csv), {
    contentType: 'text/csv; charset=utf-8',
    always,
    withBody: ['Content-Disposition', `attachment; filename="${table.filename}.csv"`],
  })
}

function calendarAnswer({ filename, text }: CalendarFile, always: HeaderList): StoredAnswer {
  return new StoredAnswer(text, {
    contentType: `${MEDIA_TYPES.ics}; charset=utf-8`,
    always,
    withBody: ['Content-Disposition', `inline; filename="${filename}.ics"`],
  })
}

async function arrowAnswer(table: ArrowTable, always: HeaderList): Promise<StoredAnswer> {
  return new StoredAnswer(await toArrow(table), {
    contentType: MEDIA_TYPES.arrow,
    always,
    withBody: ['Content-Disposition', `attachment; filename="${table.filename}.arrows"`],
  })
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the page that documents the replacement. Spec: "Versioning", 2. */
function deprecationHeaders(deprecation: Deprecation | undefined): HeaderList {
  if (!deprecation) return []
  const deprecatedAt = Temporal.Instant.from(deprecation.deprecatedAt)
  return [
    'Deprecation',
    `@${Math.floor(deprecatedAt.epochMilliseconds / 1000)}`,
    'Sunset',
    new Date(deprecation.sunsetAt).toUTCString(),
    'Link',
    `<${deprecation.link}>; rel="deprecation"`,
  ]
}
