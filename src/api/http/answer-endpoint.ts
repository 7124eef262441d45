/** Carries a request through an endpoint: admit, read, look in the cache, else handle and present; then 200 or 304. */
import type { Request, Response } from 'express'
import { notFound } from '../contract/errors.ts'
import { quarterHourOf, untilEndOf } from './cache-control.ts'
import type { Caller } from './caller.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { CACHE_TIMES, type Endpoint, endpointName, endpointStatus, successStatus } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { admit, admitFormat } from './identify-caller.ts'
import { MarketDayClock } from './market-day-clock.ts'
import { ofOneKind } from './of-one-kind.ts'
import { presentAnswer, streamHeaders } from './present-answer.ts'
import { type ParsedRequest, RequestReader } from './read-request.ts'
import { ResponseCache } from './response-cache.ts'
import { send } from './send.ts'
import { sendStored } from './send-stored.ts'
import type { Service } from './service.ts'
import type { StoredAnswer } from './stored-answer.ts'

export class EndpointAnswers {
  readonly #service: Service
  readonly #registry: readonly Endpoint[]
  readonly #security: HeaderList
  readonly #cache = new ResponseCache({ nowMs: () => performance.now() })
  readonly #reader = new RequestReader()
  readonly #days = new MarketDayClock()
  readonly #limiter: ConcurrencyLimiter

  constructor(service: Service, registry: readonly Endpoint[], security: HeaderList, limiter: ConcurrencyLimiter) {
    this.#service = service
    this.#registry = registry
    this.#security = security
    this.#limiter = limiter
  }

  async answer(endpoint: Endpoint, caller: Caller, req: Request, res: Response): Promise<void> {
    refuseComing(endpoint, this.#service.config.comingEndpoints)
    admit(caller, endpoint)
    const parsed = await this.#reader.read(endpoint, req, res)
    if (endpoint.formatsByPlan) admitFormat(caller, parsed.format)
    const { clock } = this.#service
    const now = clock.now()
    if (endpoint.stream) {
      const request = { ...this.#request(parsed, caller, now), lastEventId: req.get('Last-Event-ID') || undefined }
      const feed = await endpoint.stream(request)
      await this.#service.streams.send(endpoint, caller, feed, streamHeaders(endpoint, this.#security), req, res)
      return
    }
    const stored = await this.#find(endpoint, parsed, caller, now, res)
    if (endpoint.cache === 'quarter-hour') {
      const quarter = quarterHourOf(now.epochMilliseconds)
      res.setHeader('Cache-Control', untilEndOf(quarter, clock.now().epochMilliseconds, endpoint, caller.plan))
    }
    if (successStatus(endpoint) === 204) send(res, 204, stored.emptyHeaders)
    else await sendStored(stored, req, res)
  }

  #find(
    endpoint: Endpoint,
    parsed: ParsedRequest,
    caller: Caller,
    now: Temporal.Instant,
    res: Response,
  ): StoredAnswer | Promise<StoredAnswer> {
    const { text: todayText } = this.#days.dayOf(now)
    const request = this.#request(parsed, caller, now, endpoint.isQueued === false ? goneSignal(res) : NEVER)
    const compute = async () => {
      const reply = await endpoint.handle(request)
      return presentAnswer({
        endpoint,
        format: parsed.format,
        reply,
        caller,
        service: this.#service,
        security: this.#security,
      })
    }
    // Only a GET may run twice.
    const attempt = endpoint.method === 'get' ? () => ofOneKind(this.#service.sampleData, compute) : compute
    const make = endpoint.isQueued === false ? attempt : () => this.#limiter.run(attempt)
    const ttlSeconds = CACHE_TIMES[endpoint.cache]
    if (ttlSeconds === 0) return make()
    // What a response depends on: the plan, since one plan's body must not reach another, and white-label text; never the caller.
    const version = this.#service.dataVersion.current()
    const label = caller.key?.attribution ?? ''
    const when = endpoint.cache === 'quarter-hour' ? quarterHourOf(now.epochMilliseconds) : todayText
    const key = `${endpoint.id} ${caller.plan} ${version} ${when} ${parsed.canonical} ${label}`
    return this.#cache.get(key) ?? this.#cache.getOrMake(key, ttlSeconds, make)
  }

  #request({ path, query, body }: ParsedRequest, caller: Caller, now: Temporal.Instant, left = NEVER) {
    const { day: today } = this.#days.dayOf(now)
    return { path, query, body, caller, service: this.#service, registry: this.#registry, now, today, left }
  }
}

const NEVER = new AbortController().signal

function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  return gone.signal
}

function refuseComing(endpoint: Endpoint, comingEndpoints: ReadonlySet<string>): void {
  if (endpointStatus(endpoint, comingEndpoints) === 'live') return
  const needs = endpoint.comingUntil === undefined ? '' : ` ${endpoint.comingUntil}`
  throw notFound(`${endpointName(endpoint)} is coming: its contract is published but it does not answer yet.${needs}`)
}
