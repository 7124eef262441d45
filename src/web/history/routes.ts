/** `/prices/<slug>.csv`: what the chart of a page shows, with the page's own query. */
import { type Request, type Response, Router } from 'express'
import { notFound } from '../../api/contract/errors.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { toCsv } from '../../api/http/csv-table.ts'
import { readQuery } from '../../api/http/query.ts'
import { ResponseCache } from '../../api/http/response-cache.ts'
import { retryIfSampleDataWasReplaced } from '../../api/http/retry-if-sample-data-was-replaced.ts'
import { sendStored } from '../../api/http/send-stored.ts'
import { StoredAnswer } from '../../api/http/stored-answer.ts'
import { validate } from '../../api/http/validate.ts'
import { assetBySlug } from '../../market/assets.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { HISTORY_QUERY, type HistoryRequest, historyRequest, historySearch } from './query.ts'
import { type History, type HistoryColumn, historyRows } from './rows.ts'

const KEPT_SECONDS = 60
const CACHE_BYTES_MAX = 8 * 1024 * 1024
const CACHE_CONTROL = `public, max-age=${KEPT_SECONDS}, stale-while-revalidate=600`

export function historyRoutes({
  service,
  security,
  limiter,
}: Pick<PageAnswersOptions, 'service' | 'security' | 'limiter'>): Router {
  const cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  const router = Router({ caseSensitive: true })
  router.get('/prices/:file.csv', async (req: Request<{ file: string }>, res: Response) => {
    const asset = assetBySlug(req.params.file)
    if (asset === undefined) throw notFound('There is no index of that name.')
    const now = service.clock.now()
    const today = marketDayOf(now)
    const query = validate(HISTORY_QUERY, readQuery(req.url, Object.keys(HISTORY_QUERY.shape)), 'query')
    const end = await lastDayOfPrices(service.prices, asset.code, today)
    const request = historyRequest(asset, query, { today, end })
    const sources = { service, ask: askEndpoints(service, { now, today }) }
    const make = () =>
      retryIfSampleDataWasReplaced(service.sampleData, async () =>
        answerOf(request, await historyRows(request, sources), security),
      )
    const search = historySearch(request, { days: 'dates' })
    const key = `${asset.slug} ${search} ${today} ${service.dataVersion.current()}`
    const found = cache.get(key) ?? (await cache.getOrMake(key, KEPT_SECONDS, () => limiter.run(make)))
    await sendStored(found, req, res)
  })
  return router
}

function answerOf(
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
  const always = ['Cache-Control', CACHE_CONTROL, 'Vary', 'Accept-Encoding', ...security]
  const withBody = ['Content-Disposition', `attachment; filename="${file}"`]
  return new StoredAnswer(text, { contentType: 'text/csv; charset=utf-8', always, withBody })
}

export function nameOf({ id, isPrevious }: HistoryColumn): string {
  return isPrevious ? `${id}_year_before` : id
}
