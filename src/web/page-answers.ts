/** Rendered pages, cached like responses: until the data change, the market day ends, or they expire. */
import type { Request } from 'express'
import type { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { MarketDayClock } from '../api/http/market-day-clock.ts'
import { ofOneKind } from '../api/http/of-one-kind.ts'
import { readQuery } from '../api/http/query.ts'
import { ResponseCache } from '../api/http/response-cache.ts'
import type { Service } from '../api/http/service.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { validate } from '../api/http/validate.ts'
import { askEndpoints } from './ask-endpoints.ts'
import { layout } from './layout.ts'
import type { Page } from './page.ts'
import { type View, viewOf } from './view.ts'

const CACHE_BYTES_MAX = 16 * 1024 * 1024
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600'

export class PageAnswers {
  readonly #service: Service
  readonly #security: HeaderList
  readonly #cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  readonly #days = new MarketDayClock()
  readonly #limiter: ConcurrencyLimiter

  constructor(service: Service, security: HeaderList, limiter: ConcurrencyLimiter) {
    this.#service = service
    this.#security = security
    this.#limiter = limiter
  }

  /** The requested page. Throws `invalid_parameter` and `not_found`. */
  find(page: Page, req: Request): StoredAnswer | Promise<StoredAnswer> {
    const path = validate(page.pathSchema, req.params, 'path')
    const query = validate(page.query, readQuery(req.url, Object.keys(page.query.shape)), 'query')
    const view = viewOf(req)
    const now = this.#service.clock.now()
    const { day: today, text: todayText } = this.#days.dayOf(now)
    const render = async () => {
      const ask = askEndpoints(this.#service, { now, today })
      const content = await page.render({ path, query, view, service: this.#service, ask, now, today })
      return this.#store(layout(content, view), view)
    }
    const make = () => ofOneKind(this.#service.sampleData, render)
    const version = this.#service.dataVersion.current()
    // The page contains its address: the language switch links to the same page in the other language.
    const key = `${page.path} ${version} ${todayText} ${view.language} ${view.isChosen} ${view.address}`
    return this.#cache.get(key) ?? this.#cache.getOrMake(key, page.keptSeconds, () => this.#limiter.run(make))
  }

  #store(text: string, { language, isChosen }: View): StoredAnswer {
    const always = [
      'Cache-Control',
      CACHE_CONTROL,
      'Vary',
      isChosen ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language',
      'Content-Language',
      language,
      ...this.#security,
    ]
    return new StoredAnswer(text, { contentType: 'text/html; charset=utf-8', always, withBody: [] })
  }
}
