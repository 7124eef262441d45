/** Rendered pages, cached like responses: until the data change, the market day ends, or they expire. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import { quarterHourOf } from '../api/http/cache-control.ts'
import type { Caller } from '../api/http/caller.ts'
import type { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { MarketDayClock } from '../api/http/market-day-clock.ts'
import type { ParsedRequestCache } from '../api/http/parsed-request-cache.ts'
import { readQuery } from '../api/http/query.ts'
import type { RateLimit } from '../api/http/rate-limit.ts'
import { ResponseCache } from '../api/http/response-cache.ts'
import { retryIfSampleDataWasReplaced } from '../api/http/retry-if-sample-data-was-replaced.ts'
import { send, textBody } from '../api/http/send.ts'
import { sendStored } from '../api/http/send-stored.ts'
import type { Service } from '../api/http/service.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { validate } from '../api/http/validate.ts'
import { type Awaitable, thenSync } from '../platform/awaitable.ts'
import { askEndpoints } from './ask-endpoints.ts'
import { layout } from './layout.ts'
import type { Page } from './page.ts'
import { languageHeader, makeView, type View, viewOf } from './view.ts'

const CACHE_BYTES_MAX = 16 * 1024 * 1024
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600'

export interface PageAnswersOptions {
  service: Service
  security: HeaderList
  limiter: ConcurrencyLimiter
  rateLimit: RateLimit
  known: ParsedRequestCache
}

/** A page as requested. */
interface PageRequest {
  page: Page
  path: Record<string, unknown>
  query: Record<string, unknown>
  view: View
}

export class PageAnswers {
  readonly #options: PageAnswersOptions
  readonly #cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  readonly #days = new MarketDayClock()

  constructor(options: PageAnswersOptions) {
    this.#options = options
  }

  /** Answers a request that is already counted, and caches the parsed request. Throws `invalid_parameter` and `not_found`. */
  async answer(page: Page, req: Request, res: Response): Promise<void> {
    const path = validate(page.pathSchema, req.params, 'path')
    const query = validate(page.query, readQuery(req.url, Object.keys(page.query.shape)), 'query')
    const request = { page, path, query, view: viewOf(req) }
    const { known, rateLimit } = this.#options
    known.add(req.originalUrl, req.headers, languageHeader(request.view), (req, res) =>
      thenSync(rateLimit.consumePage(req, res), () => this.#dispatch(request, req, res)),
    )
    await this.#dispatch(request, req, res)
  }

  #dispatch(request: PageRequest, req: IncomingMessage, res: ServerResponse): Awaitable<void> {
    const hasKey = request.page.forKeys && req.headers.authorization !== undefined
    if (hasKey) return this.#sendToHolder(request, req, res)
    return thenSync(this.#find(request), (stored) => sendStored(stored, req, res))
  }

  /** Renders the page for this request only, which counts against the key. */
  async #sendToHolder(request: PageRequest, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { rateLimit, limiter, security, service } = this.#options
    const holder = await rateLimit.consume(req, res, undefined)
    const text = await limiter.run(() =>
      retryIfSampleDataWasReplaced(service.sampleData, () => this.#render(request, holder)),
    )
    const own = ['Content-Type', 'text/html; charset=utf-8', 'Content-Language', request.view.language]
    const cacheHeaders = ['Cache-Control', 'private, no-store', 'Vary', `Authorization, ${varyOf(request.view)}`]
    send(res, 200, [...own, ...cacheHeaders, ...security], textBody(text))
  }

  async #render({ page, path, query, view: requested }: PageRequest, holder: Caller | undefined): Promise<string> {
    const { service } = this.#options
    const now = service.clock.now()
    const { day: today } = this.#days.dayOf(now)
    const ask = askEndpoints(service, { now, today }, holder)
    const view = makeView(requested, today)
    const content = await page.render({ path, query, view, service, holder, ask, now, today })
    return layout(content, view, service.config.baseUrl.origin)
  }

  #find(request: PageRequest): Awaitable<StoredAnswer> {
    const { service, limiter } = this.#options
    const { page, view } = request
    const now = service.clock.now()
    const when = page.perQuarterHour ? quarterHourOf(now.epochMilliseconds) : this.#days.dayOf(now).text
    const make = () =>
      retryIfSampleDataWasReplaced(service.sampleData, async () =>
        this.#store(await this.#render(request, undefined), request),
      )
    const version = service.dataVersion.current()
    // The page contains its own URL: the language switch links to the same page in the other language.
    const key = `${page.path} ${version} ${when} ${view.language} ${view.isChosen} ${view.address}`
    return this.#cache.get(key) ?? this.#cache.getOrMake(key, page.keptSeconds, () => limiter.run(make))
  }

  #store(text: string, { view, page }: PageRequest): StoredAnswer {
    const always = [
      'Cache-Control',
      CACHE_CONTROL,
      'Vary',
      page.forKeys ? `Authorization, ${varyOf(view)}` : varyOf(view),
      'Content-Language',
      view.language,
      ...this.#options.security,
    ]
    return new StoredAnswer(text, { contentType: 'text/html; charset=utf-8', always, withBody: [] })
  }
}

function varyOf({ isChosen }: View): string {
  return isChosen ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language'
}
