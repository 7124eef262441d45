/** `/prices/<slug>.csv`: the data of a page's chart, with the page's query; `/prices/<slug>.metadata.json`: its columns, units and sources. */
import { type NextFunction, type Request, type Response, Router } from 'express'
import { notFound } from '../../api/contract/errors.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { readQuery } from '../../api/http/query.ts'
import { ResponseCache } from '../../api/http/response-cache.ts'
import { retryIfSampleDataWasReplaced } from '../../api/http/retry-if-sample-data-was-replaced.ts'
import { sendStored } from '../../api/http/send-stored.ts'
import { validate } from '../../api/http/validate.ts'
import { assetBySlug } from '../../market/assets.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { isZoneCode } from '../../market/zones.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import { CACHE_BYTES_MAX, CACHE_SECONDS, csvOf, type DescribedData, metadataOf } from '../chart-files.ts'
import { chartTexts } from '../i18n/charts.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { PUN_INDEX_SINCE } from '../parts/chart.ts'
import { columnName } from '../parts/history-section.ts'
import { makeView } from '../view.ts'
import { HISTORY_QUERY, type HistoryRequest, historyRequest, historySearch } from './query.ts'
import { type History, type HistoryColumn, historyRows } from './rows.ts'

export function historyRoutes({
  service,
  security,
  limiter,
}: Pick<PageAnswersOptions, 'service' | 'security' | 'limiter'>): Router {
  const cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  const router = Router({ caseSensitive: true })
  const answer =
    (file: 'csv' | 'metadata.json') => async (req: Request<{ slug: string }>, res: Response, next: NextFunction) => {
      if (new URL(req.url, 'http://localhost').searchParams.has('figure')) return next() // another chart of the page
      const asset = assetBySlug(req.params.slug)
      if (asset === undefined) throw notFound('There is no index of that name.')
      const now = service.clock.now()
      const today = marketDayOf(now)
      const query = validate(HISTORY_QUERY, readQuery(req.url, Object.keys(HISTORY_QUERY.shape)), 'query')
      const end = await lastDayOfPrices(service.prices, asset.code, today)
      const request = historyRequest(asset, query, { today, end })
      const search = historySearch(request, { days: 'dates' })
      const sources = { service, ask: askEndpoints(service, { now, today }) }
      const make = () =>
        retryIfSampleDataWasReplaced(service.sampleData, async () => {
          const data = chartDataOf(request, await historyRows(request, sources))
          if (file === 'csv') return csvOf(data, security)
          const { from: notBefore, to: notAfter } = request
          const latest = await service.prices.latest(asset.code, { notBefore, notAfter })
          const page = `/prices/${asset.slug}${search}`
          const addresses = { page, csv: `/prices/${asset.slug}.csv${search}`, baseUrl: service.config.baseUrl }
          return metadataOf(data, addresses, security, latest?.observedAt.toString())
        })
      const key = `${asset.slug} ${file} ${search} ${today} ${service.dataVersion.current()}`
      await sendStored(await cache.getOrMake(key, CACHE_SECONDS, () => limiter.run(make)), req, res)
    }
  router.get('/prices/:slug.csv', answer('csv'))
  router.get('/prices/:slug.metadata.json', answer('metadata.json'))
  return router
}

function chartDataOf({ detail, from, to }: HistoryRequest, { columns, rows, source }: History): DescribedData {
  const view = makeView({ language: 'en', isChosen: true, address: '/' })
  return {
    name: 'history',
    title: columns.map((column) => columnName(column, detail, view)).join(', '),
    at: detail === 'day' ? 'date' : 'starts_at',
    rows,
    columns: columns.map((column) => ({
      ...{ name: nameOf(column), label: columnName(column, detail, view), unit: column.unit },
      about: { [isZoneCode(column.id) ? 'zone' : 'asset']: column.id },
    })),
    notes: crossesPunIndex(columns, rows) ? [`${PUN_INDEX_SINCE}: ${chartTexts.en.punIndex}`] : [],
    source,
    file: `${columns.map(nameOf).join('_')}_${from}_${to}`,
  }
}

function crossesPunIndex(columns: HistoryColumn[], rows: History['rows']): boolean {
  const hasPun = columns.some(({ id }) => id === 'pun')
  return hasPun && (rows[0]?.at ?? PUN_INDEX_SINCE) < PUN_INDEX_SINCE && (rows.at(-1)?.at ?? '') >= PUN_INDEX_SINCE
}

function nameOf({ id, isPrevious }: HistoryColumn): string {
  return isPrevious ? `${id}_year_before` : id
}
