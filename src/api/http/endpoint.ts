/**
 * An endpoint is a value. Routing, methods, caching, CORS, CSV, the OpenAPI document and the index at the base URL are derived from
 * it. `src/api/endpoints/index.ts` is the list.
 */
import * as z from 'zod'
import type { MarketDay } from '../../market/market-day.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { OwnHeader } from '../contract/headers.ts'
import { BASE_PATH } from '../contract/identity.ts'
import type { Format, PlanName } from '../contract/plans.ts'
import type { Tag } from '../contract/tags.ts'
import { type ArrowTable, arrowTableOf } from './arrow.ts'
import type { Caller } from './caller.ts'
import type { ReplyTable } from './csv-table.ts'
import type { HeaderList } from './headers.ts'
import { presentationParameters } from './presentation.ts'
import type { Service } from './service.ts'

/** How long a response may be cached. `quarter-hour`: to the end of the current one; `none`: computed for each request. */
export const CACHE_TIMES = { '1min': 60, 'quarter-hour': 900, '15min': 900, '1h': 3600, '6h': 21_600, none: 0 } as const
type CacheTime = keyof typeof CACHE_TIMES

type EndpointStatus = 'live' | 'coming'

export interface EndpointRequest<Path, Query, Body> {
  path: Path
  query: Query
  body: Body
  caller: Caller
  service: Service
  /** Every endpoint of the service, for the endpoints that describe it. */
  registry: readonly Endpoint[]
  /** The instant of the request and its market day. */
  now: Temporal.Instant
  today: MarketDay
  /** Aborts when the client disconnects, but only if `isQueued` is false: several clients may share other responses. */
  left: AbortSignal
}

/** A request for an event stream; a client that reconnects sends the id of the last event it received. */
type StreamRequest<Query> = EndpointRequest<unknown, Query, unknown> & { lastEventId: string | undefined }

/** The part of a request that a handler's helpers use. */
export type HandlerContext = Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'today' | 'now'>

/** The same for helpers that depend on the caller's plan. */
export type CallerContext = HandlerContext & Pick<EndpointRequest<unknown, unknown, unknown>, 'caller'>

export interface Deprecation {
  /** ISO 8601 instants. */
  deprecatedAt: string
  sunsetAt: string
  /** Page that documents the replacement. */
  link: string
}

interface EndpointDefinition<
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> {
  /** Name of the operation in OpenAPI and of the function in generated clients: `getPunToday`. */
  id: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Relative to `/v1`, parameters in braces: `/prices/{asset}/series`. */
  path: string
  tag: Tag
  summary: string
  description: string
  /** Minimum plan. */
  plan: PlanName
  status: EndpointStatus
  cache: CacheTime
  formats: readonly Format[]
  /** Whether the response has starts in local time, to which `times=utc` adds those in UTC. */
  localTimes?: boolean
  /** Whether the plan table limits the formats further. */
  formatsByPlan?: boolean
  /** Maximum number of market days from `from` to `to`, for clients that split longer intervals; by value of an argument if it differs. */
  intervalDaysMax?: number | Readonly<Record<string, number>>
  /** Needs no key on an installation without BASE_URL when the request comes from the machine itself. */
  openLocally?: boolean
  /** Responds even if the monthly quota is used up. */
  evenOverQuota?: boolean
  /** Default: true. False if the handler waits for something other than the database, so that it holds no slot of the concurrency limiter. */
  isQueued?: boolean
  /** Schemas of the path's and the query's parameters, by name; presentation parameters such as `format` are added. */
  pathSchema: Path
  query: Query
  body: Body | undefined
  reply: Reply
  /** Status of a response that creates a resource; `Location` is the path with the reply's `id`. 202: created later. */
  creates?: 201 | 202
  /** An answer as the documentation shows it. */
  example: z.output<Reply>
  /** Errors that it may return in addition to those of every endpoint. */
  fails: readonly ErrorCode[]
  deprecation?: Deprecation | undefined
  /** A sentence that states the requirement of an optional endpoint, added to the error while it is `coming`. */
  comingUntil?: string
  handle(request: EndpointRequest<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<z.output<Reply>>
  /** Streams events, each with the reply as its data, instead of `handle`. Any refusal is thrown before it returns. */
  stream?(request: StreamRequest<z.output<Query>>): Promise<EventFeed>
  /**
   * The reply in parts, each a reply with the same columns, for CSV and Arrow that are too large for memory; undefined if the request
   * is not for such a response. An error in the first part becomes an error response; a later one cuts the response off.
   */
  parts?(
    request: EndpointRequest<z.output<Path>, z.output<Query>, z.output<Body>>,
  ): AsyncGenerator<z.output<Reply>> | undefined
  /** Headers derived from the reply, each listed in `headerNames`. */
  headers?(reply: z.output<Reply>, query: z.output<Query>): HeaderList
  headerNames?: readonly OwnHeader[]
  /** The reply as a table, for CSV and Arrow; required if `formats` has `csv`. */
  table?(reply: z.output<Reply>): ReplyTable
  /** The columns in Arrow, if their values differ from those in CSV. */
  arrow?(reply: z.output<Reply>): ArrowTable
  /** The reply as a calendar; required if `formats` has `ics`. */
  ics?(reply: z.output<Reply>): CalendarFile
}

/** A calendar as its text, RFC 5545. */
export interface CalendarFile {
  /** File name without the extension. */
  filename: string
  text: string
}

/** Formats read by tools that cannot set headers: the key may be a query parameter. */
export const KEY_IN_QUERY: readonly Format[] = ['csv', 'ics']

/** Any endpoint, without the types of its schemas. */
export type Endpoint = EndpointDefinition<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>

const NO_PARAMETERS = z.object({})
type NoParameters = typeof NO_PARAMETERS

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

/** Checks a definition and fills in the defaults: live, no parameters, no body, JSON only, no additional errors. */
export function endpoint<
  Reply extends z.ZodType,
  Path extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodUndefined,
>(
  definition: Optional<
    EndpointDefinition<Path, Query, Body, Reply>,
    'pathSchema' | 'query' | 'body' | 'status' | 'formats' | 'fails' | 'handle'
  >,
): Endpoint {
  const formats = definition.formats ?? ['json']
  for (const [format, make] of [['csv', 'table'] as const, ['ics', 'ics'] as const]) {
    if (formats.includes(format) === Boolean(definition[make])) continue
    throw new Error(`${definition.id}: the format ${format} and the function ${make}() come together`)
  }
  if ((definition.handle === undefined) === (definition.stream === undefined)) {
    throw new Error(`${definition.id}: needs either handle() or stream()`)
  }
  if ((definition.headers === undefined) !== (definition.headerNames === undefined)) {
    throw new Error(`${definition.id}: headers() and headerNames come together`)
  }
  const { table, arrow = table && ((reply) => arrowTableOf(table(reply))) } = definition
  if (formats.includes('arrow') && arrow === undefined)
    throw new Error(`${definition.id}: the format arrow needs table() or arrow()`)
  const query: z.ZodObject = definition.query ?? NO_PARAMETERS
  return {
    ...definition,
    ...(formats.includes('arrow') && { arrow }),
    status: definition.status ?? 'live',
    formats,
    pathSchema: definition.pathSchema ?? NO_PARAMETERS,
    query: query.extend(presentationParameters({ ...definition, formats })),
    body: definition.body,
    handle: definition.handle ?? answersByEvents,
    fails: definition.fails ?? [],
  } as Endpoint
}

function answersByEvents(): never {
  throw new Error('it answers by events, not by handle()')
}

/** 204 if the reply is empty. */
export function successStatus({ reply, creates }: Pick<Endpoint, 'reply' | 'creates'>): 200 | 201 | 202 | 204 {
  return reply.type === 'undefined' ? 204 : (creates ?? 200)
}

/** Its name in logs and messages: `GET /v1/prices/{asset}/series`, and `GET /v1` for the index at the base. */
export function endpointName(endpoint: Pick<Endpoint, 'method' | 'path'>): string {
  return names.getOrInsertComputed(endpoint, nameOf)
}

/** Cached, because every request is logged with a name. */
const names = new WeakMap<Pick<Endpoint, 'method' | 'path'>, string>()

function nameOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${BASE_PATH}${path === '/' ? '' : path}`
}

/** The effective status: the operator can mark an endpoint `coming`. */
export function endpointStatus(endpoint: Endpoint, comingEndpoints: ReadonlySet<string>): EndpointStatus {
  return comingEndpoints.has(endpoint.path) ? 'coming' : endpoint.status
}

/** Sink of an endpoint that answers with events. */
export interface EventSink {
  /** Writes an event as text, which includes its blank line. */
  write(text: string): void
  /** Sends the event `bye` with the reason and ends the stream. */
  end(reason: 'shutdown' | 'key'): void
  isOver(): boolean
  /** Resolves once the client has read what was written, or has disconnected. */
  drained(): Promise<void>
}

/** Feeds a stream once it is open; resolves to a function that stops feeding it. */
export type EventFeed = (sink: EventSink) => Promise<() => void>
