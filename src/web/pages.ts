/** The pages outside `/v1`. They are rendered here, without scripts, and load nothing from elsewhere. */
import { readFileSync } from 'node:fs'
import { type Response, Router } from 'express'
import { assetBySlug } from '../contract/assets.ts'
import { notFound } from '../contract/errors.ts'
import { marketDayOf } from '../domain/market-day.ts'
import { latestPrice } from '../endpoints/current-price.ts'
import { METHODOLOGY_PATH } from '../endpoints/forecast/present.ts'
import { presentObservation } from '../endpoints/present-observation.ts'
import type { HeaderList } from '../http/headers.ts'
import { send, textBody } from '../http/send.ts'
import type { Service } from '../http/service.ts'
import { renderAnalystsPage } from './analysts-page.ts'
import { documents, renderDocumentList } from './documents.ts'
import { renderErrorsPage } from './errors-page.ts'
import { renderHomePage } from './home-page.ts'
import { layout } from './layout.ts'
import { renderMethodologyPage } from './methodology-page.ts'
import { modelCards } from './model-cards.ts'
import { renderPricePage } from './price-page.ts'
import { renderSampleDataPage } from './sample-data-page.ts'

const CACHE_CONTROL = 'public, max-age=900'
const OTHER_DOCUMENTS = [
  { path: '/v1/docs/', title: 'The API, operation by operation' },
  { path: METHODOLOGY_PATH, title: 'How forecasts are made, scored and kept' },
  { path: '/docs/errors', title: 'Errors' },
  { path: '/docs/sample-data', title: 'Synthetic sample data' },
]

export function pageRoutes(service: Service, security: HeaderList): Router {
  const router = Router({ caseSensitive: true })
  const fixed = {
    '/': { type: 'text/html', text: renderHomePage() },
    '/docs': { type: 'text/html', text: renderDocumentList(OTHER_DOCUMENTS) },
    '/docs/errors': { type: 'text/html', text: renderErrorsPage() },
    ...documentPages(),
    '/docs/analysts': { type: 'text/html', text: renderAnalystsPage() }, // the document with the views' descriptions
    [METHODOLOGY_PATH]: { type: 'text/html', text: renderMethodologyPage() },
    '/docs/sample-data': { type: 'text/html', text: renderSampleDataPage() },
    '/site.css': { type: 'text/css', text: readFileSync(new URL('./site.css', import.meta.url), 'utf8') },
  }
  for (const [path, { type, text }] of Object.entries(fixed)) {
    router.get(path, (_req, res) => sendText(res, type, text, security))
  }
  router.get('/prices/:slug', async (req, res) => {
    sendText(res, 'text/html', await pricePage(service, req.params.slug), security)
  })
  return router
}

function documentPages() {
  return Object.fromEntries(
    [...documents(), ...modelCards()].map(({ path, title, main }) => [
      path,
      { type: 'text/html', text: layout(title, main) },
    ]),
  )
}

async function pricePage({ clock, prices, config }: Service, slug: string): Promise<string> {
  const asset = assetBySlug(slug)
  if (!asset) throw notFound('There is no index of that name.')
  const observation = await latestPrice(prices, asset.code, marketDayOf(clock.now()))
  return renderPricePage(asset, observation && presentObservation(observation, config.baseUrl))
}

function sendText(res: Response, type: string, text: string, security: HeaderList): void {
  const headers = ['Content-Type', `${type}; charset=utf-8`, 'Cache-Control', CACHE_CONTROL, ...security]
  send(res, 200, headers, textBody(text))
}
