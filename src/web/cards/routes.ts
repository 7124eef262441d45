/** `/card/{asset}.svg`: price cards for pages of other sites. Cached and tagged like responses of the API. */
import { type Request, type Response, Router } from 'express'
import * as z from 'zod'
import { notFound } from '../../api/contract/errors.ts'
import type { Snapshot } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { getToday } from '../../api/endpoints/today/get-today.ts'
import { corsHeaders } from '../../api/http/cors.ts'
import { readQuery } from '../../api/http/query.ts'
import { ResponseCache } from '../../api/http/response-cache.ts'
import { sendStored } from '../../api/http/send-stored.ts'
import { StoredAnswer } from '../../api/http/stored-answer.ts'
import { validate } from '../../api/http/validate.ts'
import { type Asset, assetBySlug } from '../../market/assets.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import type { AskEndpoint } from '../page.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'
import { languageHeader, makeView, type View, viewOf } from '../view.ts'
import { CARD_THEMES, type CardFigures, priceCard } from './price-card.ts'

const KEPT_SECONDS = 900
const CACHE_BYTES_MAX = 1024 * 1024
const CACHE_CONTROL = `public, max-age=${KEPT_SECONDS}, stale-while-revalidate=3600`
const QUERY = z.object({ theme: z.enum(CARD_THEMES).default('auto') })

export function cardRoutes({ service, security, limiter, rateLimit, known }: PageAnswersOptions): Router {
  const cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  const router = Router({ caseSensitive: true })

  const find = ({ asset, theme, view }: Wanted): StoredAnswer | Promise<StoredAnswer> => {
    const { language, isChosen } = view
    const now = service.clock.now()
    const today = marketDayOf(now)
    const key = `${asset.slug} ${theme} ${language} ${isChosen} ${today} ${service.dataVersion.current()}`
    const make = async () => {
      const figures = await figuresOf(asset, askEndpoints(service, { now, today }))
      const text = priceCard(figures, today, theme, makeView({ language, isChosen, address: '/' }))
      const vary = isChosen ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language'
      const always = ['Cache-Control', CACHE_CONTROL, 'Vary', vary, ...corsHeaders('Open'), ...security]
      return new StoredAnswer(text, { contentType: 'image/svg+xml; charset=utf-8', always, withBody: [] })
    }
    return cache.get(key) ?? cache.getOrMake(key, KEPT_SECONDS, () => limiter.run(make))
  }

  router.get(inEveryLanguage('/card/:file'), async (req: Request<{ file: string }>, res: Response) => {
    const asset = assetOf(req.params.file)
    const { theme } = validate(QUERY, readQuery(req.url, Object.keys(QUERY.shape)), 'query')
    const wanted = { asset, theme, view: viewOf(req) }
    known.remember(req.originalUrl, req.headers, languageHeader(wanted.view), async (req, res) => {
      await rateLimit.consumePage(req, res)
      await sendStored(await find(wanted), req, res)
    })
    await sendStored(await find(wanted), req, res)
  })
  return router
}

interface Wanted {
  asset: Asset
  theme: (typeof CARD_THEMES)[number]
  view: View
}

function assetOf(file: string): Asset {
  const asset = file.endsWith('.svg') ? assetBySlug(file.slice(0, -'.svg'.length)) : undefined
  if (asset === undefined)
    throw notFound('There is no card of that name. There are pun.svg, psv.svg, ttf.svg, brent.svg and co2.svg.')
  return asset
}

/** The figures of the API's snapshot, and of its series the price before. */
async function figuresOf(asset: Asset, ask: AskEndpoint): Promise<CardFigures> {
  const [snapshot, series] = await Promise.all([
    undefinedIfNotFound(ask<Snapshot>(getToday)),
    ask<DailySeries>(getPricesSeries, { path: { asset: asset.slug } }),
  ])
  const observation = snapshot?.values[asset.code]
  const previous = observation && series.points.findLast(({ date }) => date < observation.date)
  return { asset, observation, previous }
}
