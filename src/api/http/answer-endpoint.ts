/** Processes a request for an endpoint: count, admit, parse, look up in the cache, else handle and present; then 200 or 304. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { type Awaitable, thenSync } from '../../platform/awaitable.ts'
import { notFound } from '../contract/errors.ts'
import { PLANS } from '../contract/plans.ts'
import { quarterHourOf, untilEndOf } from './cache-control.ts'
import type { Caller } from './caller.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { corsHeaders } from './cors.ts'
import {
  CACHE_TIMES,
  type Endpoint,
  type EndpointRequest,
  endpointName,
  endpointStatus,
  successStatus,
} from './endpoint.ts'
import { EventStreams } from './event-streams.ts'
import { refuseWhileFilling } from './first-data.ts'
import type { HeaderList } from './headers.ts'
import { admit, admitFormat, sentKey } from './identify-caller.ts'
import { MarketDayClock } from './market-day-clock.ts'
import type { ParsedRequestCache } from './parsed-request-cache.ts'
import { presentAnswer, streamHeaders } from './present-answer.ts'
import type { RateLimit } from './rate-limit.ts'
import { type ParsedRequest, parseArguments, readRequest } from './read-request.ts'
import { contextOf } from './request-context.ts'
import { ResponseCache } from './response-cache.ts'
import { retryIfSampleDataWasReplaced } from './retry-if-sample-data-was-replaced.ts'
import { send } from './send.ts'
import { sendParts } from './send-parts.ts'
import { sendStored } from './send-stored.ts'
import type { Service } from './service.ts'
import type { StoredAnswer } from './stored-answer.ts'

export interface EndpointAnswersOptions {
  service: Service
  registry: readonly Endpoint[]
  security: HeaderList
  limiter: ConcurrencyLimiter
  rateLimit: RateLimit
  known: ParsedRequestCache
}

export class EndpointAnswers {
  readonly #options: EndpointAnswersOptions
  readonly #cache = new ResponseCache({ nowMs: () => performance.now() })
  readonly #days = new MarketDayClock()
  readonly #streams: EventStreams

  constructor(options: EndpointAnswersOptions) {
    this.#options = options
    const { access, log } = options.service
    this.#streams = new EventStreams({
      keys: access.keys,
      onError: (err) => log.warn({ err }, 'a stream could not be served'),
    })
  }

  /** Answers the first request for a URL, and caches the parsed request. */
  async answer(endpoint: Endpoint, req: Request, res: Response): Promise<void> {
    const { service, rateLimit, known } = this.#options
    const caller = await rateLimit.consume(req, res, endpoint)
    refuseComing(endpoint, service.config.comingEndpoints)
    admit(caller, endpoint)
    const parsed = await readRequest(endpoint, req, res)
    if (endpoint.method === 'get') {
      const by = endpoint.formats.length > 1 ? 'accept' : undefined
      known.add(req.originalUrl, req.headers, by, (req, res) => this.#answerParsed(endpoint, parsed, req, res))
    }
    await this.#send(endpoint, parsed, caller, req, res)
  }

  /** Answers a request for a URL whose parsed request is cached. */
  #answerParsed(endpoint: Endpoint, parsed: ParsedRequest, req: IncomingMessage, res: ServerResponse): Awaitable<void> {
    contextOf(res).endpoint = endpoint
    return thenSync(this.#options.rateLimit.consume(req, res, endpoint), (caller) => {
      admit(caller, endpoint)
      return this.#send(endpoint, parsed, caller, req, res)
    })
  }

  /** Returns the JSON of a response to a request of another protocol that is already counted. `given`: path and query parameters, and `body`. */
  async read(endpoint: Endpoint, given: Record<string, unknown>, caller: Caller, res: Response): Promise<string> {
    refuseComing(endpoint, this.#options.service.config.comingEndpoints)
    admit(caller, endpoint)
    const parsed = parseArguments(endpoint, given)
    refuseWhileFilling(endpoint.tag, this.#options.service.health)
    const found = await this.#find(endpoint, parsed, caller, this.#options.service.clock.now(), res)
    return found.text
  }

  #send(
    endpoint: Endpoint,
    parsed: ParsedRequest,
    caller: Caller,
    req: IncomingMessage,
    res: ServerResponse,
  ): Awaitable<void> {
    if (endpoint.formatsByPlan) admitFormat(caller, parsed.presentation.format)
    const { clock, health } = this.#options.service
    refuseWhileFilling(endpoint.tag, health)
    const now = clock.now()
    if (endpoint.stream) return this.#stream(endpoint, this.#request(parsed, caller, now, NEVER_ABORTED), req, res)
    const { format, csv } = parsed.presentation
    if (endpoint.parts && (format === 'csv' || format === 'arrow')) {
      const parts = endpoint.parts(this.#request(parsed, caller, now, NEVER_ABORTED))
      if (parts) return sendParts({ ...this.#options, endpoint, format, csv, parts, caller }, res)
    }
    return thenSync(this.#find(endpoint, parsed, caller, now, res), (stored) => {
      const status = successStatus(endpoint)
      if (status === 204) return send(res, status, stored.emptyHeaders)
      if (endpoint.cache !== 'quarter-hour') return sendStored(stored, req, res, [], status)
      const quarter = quarterHourOf(now.epochMilliseconds)
      const until = untilEndOf(quarter, clock.now().epochMilliseconds, endpoint, caller.plan)
      return sendStored(stored, req, res, ['Cache-Control', until])
    })
  }

  #find(
    endpoint: Endpoint,
    parsed: ParsedRequest,
    caller: Caller,
    now: Temporal.Instant,
    res: ServerResponse,
  ): Awaitable<StoredAnswer> {
    const { text: todayText } = this.#days.dayOf(now)
    const make = () => {
      const left = endpoint.isQueued === false ? disconnectSignal(res) : NEVER_ABORTED
      return this.#make(endpoint, parsed, this.#request(parsed, caller, now, left))
    }
    const ttlSeconds = CACHE_TIMES[endpoint.cache]
    if (ttlSeconds === 0) return make()
    // A response depends on the plan, since one plan's body must not reach another, and on white-label text, but never on the caller.
    const version = this.#options.service.dataVersion.current()
    const label = caller.key?.attribution ?? ''
    const when = endpoint.cache === 'quarter-hour' ? quarterHourOf(now.epochMilliseconds) : todayText
    const key = parsed.cacheKey(`${endpoint.id} ${caller.plan} ${version} ${when} ${label}`)
    return this.#cache.get(key) ?? this.#cache.getOrMake(key, ttlSeconds, make)
  }

  #make(endpoint: Endpoint, { presentation }: ParsedRequest, request: AnyRequest): Promise<StoredAnswer> {
    const { service, security, limiter } = this.#options
    const compute = async () => {
      const reply = await endpoint.handle(request)
      await nextTurn() // cache hits are answered before a large reply is serialised
      return presentAnswer({
        endpoint,
        presentation,
        reply,
        query: request.query,
        caller: request.caller,
        service,
        security,
      })
    }
    // Only a GET may run twice.
    const attempt =
      endpoint.method === 'get' ? () => retryIfSampleDataWasReplaced(service.sampleData, compute) : compute
    return endpoint.isQueued === false ? attempt() : limiter.run(attempt)
  }

  async #stream(endpoint: Endpoint, request: AnyRequest, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { security } = this.#options
    const { caller } = request
    const lastEventId = [req.headers['last-event-id']].flat()[0] || undefined
    const feed = await endpoint.stream?.({ ...request, lastEventId })
    if (feed === undefined) throw new Error(`${endpoint.id} has no stream`)
    await this.#streams.send(
      {
        client: caller.client,
        max: PLANS[caller.plan].streamsMax,
        headers: [...streamHeaders(security), ...corsHeaders(endpoint.plan)],
        key: sentKey(req, endpoint),
      },
      feed,
      req,
      res,
    )
  }

  #request({ path, query, body }: ParsedRequest, caller: Caller, now: Temporal.Instant, left: AbortSignal): AnyRequest {
    const { service, registry } = this.#options
    return { path, query, body, caller, service, registry, now, today: this.#days.dayOf(now).day, left }
  }
}

type AnyRequest = EndpointRequest<Record<string, unknown>, Record<string, unknown>, unknown>

const NEVER_ABORTED = new AbortController().signal

function disconnectSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (res.closed) gone.abort()
  else res.once('close', () => gone.abort())
  return gone.signal
}

function refuseComing(endpoint: Endpoint, comingEndpoints: ReadonlySet<string>): void {
  if (endpointStatus(endpoint, comingEndpoints) === 'live') return
  const needs = endpoint.comingUntil === undefined ? '' : ` ${endpoint.comingUntil}`
  throw notFound(`${endpointName(endpoint)} is coming: its contract is published but it does not answer yet.${needs}`)
}
