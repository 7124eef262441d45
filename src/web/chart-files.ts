/** `/trading.csv?figure=pair&a=pun&b=psv`: the data of a chart, with the query of its page; `.metadata.json`: its columns, units and sources. */
import { type Request, type Response, Router } from 'express'
import * as z from 'zod'
import { notFound } from '../api/contract/errors.ts'
import { attributionText } from '../api/endpoints/source-credits.ts'
import { toCsv } from '../api/http/csv-table.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { readQuery } from '../api/http/query.ts'
import { ResponseCache } from '../api/http/response-cache.ts'
import { retryIfSampleDataWasReplaced } from '../api/http/retry-if-sample-data-was-replaced.ts'
import { expressPath } from '../api/http/router.ts'
import { sendStored } from '../api/http/send-stored.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { validate } from '../api/http/validate.ts'
import { MARKET_TIME_ZONE, marketDayOf } from '../market/market-day.ts'
import { round } from '../market/rounding.ts'
import { sourcesNamed } from '../publishers/sources.ts'
import { askEndpoints } from './ask-endpoints.ts'
import type { ChartData } from './chart-data.ts'
import type { AskEndpoint, Page } from './page.ts'
import type { PageAnswersOptions } from './page-answers.ts'
import { HOME_FILES } from './parts/chart-links.ts'
import { makeView } from './view.ts'

export const CACHE_SECONDS = 60
export const CACHE_BYTES_MAX = 8 * 1024 * 1024
const CACHE_CONTROL = `public, max-age=${CACHE_SECONDS}, stale-while-revalidate=600`
const CACHE_HEADERS = ['Cache-Control', CACHE_CONTROL, 'Vary', 'Accept-Encoding']

type Options = Pick<PageAnswersOptions, 'service' | 'security' | 'limiter'>

export function chartFileRoutes(list: readonly Page[], options: Options): Router {
  const cache = new ResponseCache({ nowMs: () => performance.now(), bytesMax: CACHE_BYTES_MAX })
  const router = Router({ caseSensitive: true })
  for (const page of list) {
    const path = page.path === '/' ? HOME_FILES : expressPath(page.path)
    for (const file of ['csv', 'metadata.json'] as const) {
      router.get(`${path}.${file}`, (req, res) => answer(page, file, { req, res, cache, ...options }))
    }
  }
  return router
}

interface FileRequest extends Options {
  req: Request
  res: Response
  cache: ResponseCache
}

async function answer(page: Page, file: 'csv' | 'metadata.json', request: FileRequest): Promise<void> {
  const { req, res, cache, service, security, limiter } = request
  const schema = page.query.extend({ figure: z.string().optional() })
  const given = readQuery(req.url, Object.keys(schema.shape))
  const { figure, ...query } = validate(schema, given, 'query')
  const path = validate(page.pathSchema, req.params, 'path')
  const now = service.clock.now()
  const today = marketDayOf(now)
  const make = () =>
    retryIfSampleDataWasReplaced(service.sampleData, async () => {
      const { figure: _, ...shown } = given
      const address = `${req.path.replace(`.${file}`, '').replace(HOME_FILES, '/')}${searchOf(shown)}`
      const view = makeView({ language: 'en', isChosen: false, address }, today)
      const sources = new Set<string>()
      const ask = collectSources(sources, askEndpoints(service, { now, today }))
      await page.render({ path, query, view, service, holder: undefined, ask, now, today })
      const found = view.charts.find(({ name }) => name === (figure ?? name))
      if (found === undefined) throw notFound('There is no chart of that name on this page, or no data for it yet.')
      if (file === 'csv') return csvOf(found, security)
      const csv = `${req.path.replace(`.${file}`, '.csv')}${searchOf({ ...shown, figure: found.name })}`
      const source = found.source ?? [...sources].join('; ')
      return metadataOf({ ...found, source }, { page: address, csv, baseUrl: service.config.baseUrl }, security)
    })
  const key = `${req.url} ${today} ${service.dataVersion.current()}`
  await sendStored(await cache.getOrMake(key, CACHE_SECONDS, () => limiter.run(make)), req, res)
}

function searchOf(query: Record<string, string>): string {
  const search = new URLSearchParams(query)
  return search.size === 0 ? '' : `?${search}`
}

/** Wraps `ask` to collect the sources of all responses. */
function collectSources(sources: Set<string>, ask: AskEndpoint): AskEndpoint {
  return async (...args) => {
    const reply = await ask(...args)
    const { source } = reply as { source?: string }
    for (const name of source?.split('; ') ?? []) sources.add(name)
    return reply as never
  }
}

/** Returns the rows in chronological order. */
function rowsOf({ rows }: ChartData): ChartData['rows'] {
  const [first, last] = [rows[0]?.at ?? '', rows.at(-1)?.at ?? '']
  return first > last ? rows.toReversed() : rows
}

const nameOf = ({ name, label }: ChartData['columns'][number]) =>
  name ??
  label
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '_')
    .replaceAll(/^_|_$/g, '')

export function csvOf(data: ChartData, security: HeaderList): StoredAnswer {
  const names = data.columns.map(nameOf)
  const rows = rowsOf(data).map(({ at, values }) => ({
    [data.at]: at,
    ...Object.fromEntries(names.map((name, i) => [name, rounded(values[i])])),
  }))
  const text = toCsv({ columns: [data.at, ...names], rows })
  const withBody = ['Content-Disposition', `attachment; filename="${data.file ?? data.name}.csv"`]
  return new StoredAnswer(text, {
    contentType: 'text/csv; charset=utf-8',
    always: [...CACHE_HEADERS, ...security],
    withBody,
  })
}

/** As for prices in API responses. */
const DECIMALS = 6
const rounded = (value: number | string | undefined) => (typeof value === 'number' ? round(value, DECIMALS) : value)

const DETAILS: Readonly<Record<string, string>> = { month: 'month', date: 'day', starts_at: 'hour' }

/** With more about each column for its metadata. */
export interface DescribedData extends Omit<ChartData, 'columns'> {
  columns: (ChartData['columns'][number] & { about?: Record<string, string> })[]
}

export function metadataOf(
  data: DescribedData,
  { page, csv, baseUrl }: { page: string; csv: string; baseUrl: URL },
  security: HeaderList,
  lastUpdate?: string,
): StoredAnswer {
  const rows = rowsOf(data)
  const sources = sourcesNamed(data.source ?? '')
  const body = {
    title: data.title,
    page: new URL(page, baseUrl).href,
    csv: new URL(csv, baseUrl).href,
    detail: DETAILS[data.at],
    time_zone: MARKET_TIME_ZONE,
    from: rows[0]?.at,
    to: rows.at(-1)?.at,
    rows: rows.length,
    columns: data.columns.map(({ about, ...column }) => ({
      name: nameOf(column),
      title: column.label,
      ...about,
      ...(column.unit && { unit: column.unit }),
    })),
    notes: data.notes ?? [],
    sources: sources.map(({ name, url, terms }) => ({ name, url: new URL(url, baseUrl).href, terms })),
    attribution: attributionText(
      sources.map(({ id }) => id),
      baseUrl,
    ),
    last_update: lastUpdate,
  }
  return new StoredAnswer(`${JSON.stringify(body, undefined, 2)}\n`, {
    contentType: 'application/json; charset=utf-8',
    always: [...CACHE_HEADERS, ...security],
    withBody: [],
  })
}
