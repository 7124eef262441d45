/** Rendered pages, cached like responses: until the data change, the market day ends, or they expire. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import type { HeaderList } from '../api/http/headers.ts'
import type { KnownAddresses } from '../api/http/known-addresses.ts'
import { MarketDayClock } from '../api/http/market-day-clock.ts'
import { ofOneKind } from '../api/http/of-one-kind.ts'
import { readQuery } from '../api/http/query.ts'
import type { RateLimit } from '../api/http/rate-limit.ts'
import { ResponseCache } from '../api/http/response-cache.ts'
import { sendStored } from '../api/http/send-stored.ts'
import type { Service } from '../api/http/service.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { validate } from '../api/http/validate.ts'
import { askEndpoints } from './ask-endpoints.ts'
import { layout } from './layout.ts'
import type { Page } from './page.ts'
import { languageHeader, type View, viewOf } from './view.ts'

const CACHE_BYTES_MAX = 16 * 1024 * 1024
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600'

export interface PageAnswersOptions {
  service: Service
  security: HeaderList
  limiter: ConcurrencyLimiter
  rateLimit: RateLimit
  known: KnownAddresses
}

/** A page as requested. */
interface Wanted {
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

  /** Answers a request that has been counted, and remembers its address. Throws `invalid_parameter` and `not_found`. */
  async answer(page: Page, req: Request, res: Response): Promise<void> {
    const path = validate(page.pathSchema, req.params, 'path')
    const query = validate(page.query, readQuery(req.url, Object.keys(page.query.shape)), 'query')
    const wanted = { page, path, query, view: viewOf(req) }
    const { known, rateLimit } = this.#options
    known.remember(req.originalUrl, req.headers, languageHeader(wanted.view), async (req, res) => {
      await rateLimit.consumePage(req, res)
      await this.#send(wanted, req, res)
    })
    await this.#send(wanted, req, res)
  }

  async #send(wanted: Wanted, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const found = this.#find(wanted)
    await sendStored(found instanceof Promise ? await found : found, req, res)
  }

  #find({ page, path, query, view }: Wanted): StoredAnswer | Promise<StoredAnswer> {
    const { service, limiter } = this.#options
    const now = service.clock.now()
    const { day: today, text: todayText } = this.#days.dayOf(now)
    const render = async () => {
      const ask = askEndpoints(service, { now, today })
      const content = await page.render({ path, query, view, service, ask, now, today })
      return this.#store(layout(content, view), view)
    }
    const make = () => ofOneKind(service.sampleData, render)
    const version = service.dataVersion.current()
    // The page contains its address: the language switch links to the same page in the other language.
    const key = `${page.path} ${version} ${todayText} ${view.language} ${view.isChosen} ${view.address}`
    return this.#cache.get(key) ?? this.#cache.getOrMake(key, page.keptSeconds, () => limiter.run(make))
  }

  #store(text: string, { language, isChosen }: View): StoredAnswer {
    const always = [
      'Cache-Control',
      CACHE_CONTROL,
      'Vary',
      isChosen ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language',
      'Content-Language',
      language,
      ...this.#options.security,
    ]
    return new StoredAnswer(text, { contentType: 'text/html; charset=utf-8', always, withBody: [] })
  }
}
