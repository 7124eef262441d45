/** `/prices/<slug>.csv`: the data of a page's chart, with the page's query; `/prices/<slug>.metadata.json`: its columns, units and sources. */
import { type NextFunction, type Request, type Response, Router } from 'express'
import { notFound } from '../../api/contract/errors.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { toCsv } from '../../api/http/csv-table.ts'
import { readQuery } from '../../api/http/query.ts'
import { ResponseCache } from '../../api/http/response-cache.ts'
import { retryIfSampleDataWasReplaced } from '../../api/http/retry-if-sample-data-was-replaced.ts'
import { sendStored } from '../../api/http/send-stored.ts'
import { StoredAnswer } from '../../api/http/stored-answer.ts'
import { validate } from '../../api/http/validate.ts'
import { type Asset, assetBySlug } from '../../market/assets.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { isZoneCode } from '../../market/zones.ts'
import type { DailyObservation } from '../../store/prices.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import { CACHE_HEADERS, CACHE_SECONDS, metadataOf as describe } from '../chart-files.ts'
import { chartTexts } from '../i18n/charts.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { PUN_INDEX_SINCE } from '../parts/chart.ts'
import { columnName } from '../parts/history-section.ts'
import { makeView } from '../view.ts'
import { HISTORY_QUERY, type HistoryRequest, historyRequest, historySearch } from './query.ts'
import { type History, type HistoryColumn, historyRows } from './rows.ts'

const CACHE_BYTES_MAX = 8 * 1024 * 1024

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
      const sources = { service, ask: askEndpoints(service, { now, today }) }
      const make = () =>
        retryIfSampleDataWasReplaced(service.sampleData, async () => {
          const history = await historyRows(request, sources)
          if (file === 'csv') return csvOf(request, history, security)
          const { from: notBefore, to: notAfter } = request
          const latest = await service.prices.latest(asset.code, { notBefore, notAfter })
          return metadataOf({ asset, request, history, latest, baseUrl: service.config.baseUrl }, security)
        })
      const search = historySearch(request, { days: 'dates' })
      const key = `${asset.slug} ${file} ${search} ${today} ${service.dataVersion.current()}`
      const found = cache.get(key) ?? (await cache.getOrMake(key, CACHE_SECONDS, () => limiter.run(make)))
      await sendStored(found, req, res)
    }
  router.get('/prices/:slug.csv', answer('csv'))
  router.get('/prices/:slug.metadata.json', answer('metadata.json'))
  return router
}

function csvOf(
  { detail, from, to }: HistoryRequest,
  { columns, rows }: History,
  security: PageAnswersOptions['security'],
): StoredAnswer {
  const names = columns.map(nameOf)
  const time = detail === 'day' ? 'date' : 'starts_at'
  const text = toCsv({
    columns: [time, ...names],
    rows: rows.map(({ at, values }) => ({
      [time]: at,
      ...Object.fromEntries(names.map((name, i) => [name, values[i]])),
    })),
  })
  const file = `${names.join('_')}_${from}_${to}.csv`
  const always = [...CACHE_HEADERS, ...security]
  const withBody = ['Content-Disposition', `attachment; filename="${file}"`]
  return new StoredAnswer(text, { contentType: 'text/csv; charset=utf-8', always, withBody })
}

interface MetadataInput {
  asset: Asset
  request: HistoryRequest
  history: History
  latest: DailyObservation | undefined
  baseUrl: URL
}

function metadataOf(
  { asset, request, history: { columns, rows, source }, latest, baseUrl }: MetadataInput,
  security: PageAnswersOptions['security'],
): StoredAnswer {
  const { detail } = request
  const view = makeView({ language: 'en', isChosen: true, address: '/' })
  const search = historySearch(request, { days: 'dates' })
  const data = {
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
  }
  const at = (extension: string) => `/prices/${asset.slug}${extension}${search}`
  return describe(data, { page: at(''), csv: at('.csv'), baseUrl }, security, latest?.observedAt.toString())
}

function crossesPunIndex(columns: HistoryColumn[], rows: History['rows']): boolean {
  const hasPun = columns.some(({ id }) => id === 'pun')
  return hasPun && (rows[0]?.at ?? PUN_INDEX_SINCE) < PUN_INDEX_SINCE && (rows.at(-1)?.at ?? '') >= PUN_INDEX_SINCE
}

export function nameOf({ id, isPrevious }: HistoryColumn): string {
  return isPrevious ? `${id}_year_before` : id
}
