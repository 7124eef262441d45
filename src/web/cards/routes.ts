/**
 * `/card/{asset}.svg`: price cards to embed in other sites; `/card/day.png`: the preview image of links to this site. Cached and tagged like
 * API responses.
 */

import { Worker } from 'node:worker_threads'
import { type Request, type Response, Router } from 'express'
import * as z from 'zod'
import { notFound } from '../../api/contract/errors.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { corsHeaders } from '../../api/http/cors.ts'
import { readQuery } from '../../api/http/query.ts'
import { ResponseCache } from '../../api/http/response-cache.ts'
import { sendStored } from '../../api/http/send-stored.ts'
import type { Service } from '../../api/http/service.ts'
import { StoredAnswer } from '../../api/http/stored-answer.ts'
import { validate } from '../../api/http/validate.ts'
import { ASSETS, type Asset } from '../../market/assets.ts'
import { type MarketDay, marketDayOf } from '../../market/market-day.ts'
import { type Awaitable, thenSync } from '../../platform/awaitable.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import type { AskEndpoint } from '../page.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { fetchHours } from '../parts/hours-section.ts'
import { latestPrice } from '../parts/latest-price.ts'
import { languageHeader, makeView, type View, viewOf } from '../view.ts'
import { dayCard } from './day-card.ts'
import { CARD_THEMES, type CardFigures, priceCard } from './price-card.ts'

const CACHE_SECONDS = 900
const CACHE_BYTES_MAX = 1024 * 1024
const CACHE_CONTROL = `public, max-age=${CACHE_SECONDS}, stale-while-revalidate=3600`
const QUERY = z.object({ theme: z.enum(CARD_THEMES).default('auto') })

export function cardRoutes({ service, security, limiter, rateLimit, known }: PageAnswersOptions): Router {
  const cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  const router = Router({ caseSensitive: true })

  const find = ({ card, theme, view }: CardRequest): Awaitable<StoredAnswer> => {
    const { language, isChosen } = view
    const now = service.clock.now()
    const today = marketDayOf(now)
    const key = `${card.file} ${theme} ${language} ${isChosen} ${today} ${service.dataVersion.current()}`
    const make = async () => {
      const view = makeView({ language, isChosen, address: '/' }, today)
      const body = await card.draw({ service, ask: askEndpoints(service, { now, today }), today, theme, view })
      const vary = isChosen ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language'
      const always = ['Cache-Control', CACHE_CONTROL, 'Vary', vary, ...corsHeaders('Open'), ...security]
      return new StoredAnswer(body, { contentType: card.contentType, always, withBody: [] })
    }
    return cache.get(key) ?? cache.getOrMake(key, CACHE_SECONDS, () => limiter.run(make))
  }

  router.get(inEveryLanguage('/card/:file'), async (req: Request<{ file: string }>, res: Response) => {
    const card = cardOf(req.params.file)
    const { theme } = validate(QUERY, readQuery(req.url, Object.keys(QUERY.shape)), 'query')
    const request = { card, theme, view: viewOf(req) }
    known.add(req.originalUrl, req.headers, languageHeader(request.view), (req, res) =>
      thenSync(rateLimit.consumePage(req, res), () =>
        thenSync(find(request), (stored) => sendStored(stored, req, res)),
      ),
    )
    await sendStored(await find(request), req, res)
  })
  return router
}

type Theme = (typeof CARD_THEMES)[number]

interface Card {
  file: string
  contentType: string
  draw(of: { service: Service; ask: AskEndpoint; today: MarketDay; theme: Theme; view: View }): Promise<string | Buffer>
}

interface CardRequest {
  card: Card
  theme: Theme
  view: View
}

const DAY_CARD: Card = {
  file: 'day.png',
  contentType: 'image/png',
  async draw({ ask, service, today: day, view }) {
    const [today, tomorrow, last] = await Promise.all([
      fetchHours(ask, day, 'hour'),
      fetchHours(ask, day.add({ days: 1 }), 'hour'),
      lastDayOfPrices(service.prices, 'PUN', day).then((end) => fetchHours(ask, end, 'hour')),
    ])
    return pngOf(dayCard({ today, tomorrow, last }, day, view))
  },
}

const PRICE_CARDS = Object.values(ASSETS).map((asset): Card => {
  return {
    file: `${asset.slug}.svg`,
    contentType: 'image/svg+xml; charset=utf-8',
    async draw({ service, ask, today, theme, view }) {
      return priceCard(await figuresOf(asset, { service, ask, today }), today, theme, view)
    },
  }
})

const CARDS = [...PRICE_CARDS, DAY_CARD]

function cardOf(name: string): Card {
  const card = CARDS.find(({ file }) => file === name.toLowerCase())
  if (card === undefined) {
    const names = CARDS.map(({ file }) => file)
    throw notFound(`There is no card of that name. There are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`)
  }
  return card
}

/** Returns the latest price and the preceding one. */
async function figuresOf(asset: Asset, page: Parameters<typeof latestPrice>[1]): Promise<CardFigures> {
  const { observation, month } = await latestPrice(asset, page)
  const previous = observation && month.points.findLast(({ date }) => date < observation.date)
  return { asset, observation, previous }
}

/**
 * Renders an SVG document as PNG; its text must be in PT Sans Caption, 400 or 700. Runs in a worker thread that ends afterwards: rendering
 * would block other responses for too long, and takes 100 MB of memory. Rethrows the errors of the thread.
 */
async function pngOf(svg: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const worker = new Worker(new URL('./draw-png.ts', import.meta.url), { workerData: svg })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`drawing ended with ${code} and no picture`)))
  return Buffer.from(await promise)
}
