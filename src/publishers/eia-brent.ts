/**
 * Europe Brent spot price FOB, series RBRTE, from EIA's API v2, `/v2/petroleum/pri/spt/data/`, page by page. The key must be in the query; a
 * suspended key gets 403 for some minutes.
 *
 * Traps: values are strings (numbers before 2024); missing ones are null, absent or empty; several series share the route; errors have two
 * shapes and, before October 2025, could come with HTTP 200; the warning on a short page can be ignored. A trading day that is not listed
 * is a holiday or not yet published.
 */
import { parseMarketDay } from '../market/market-day.ts'
import { isTradingDay } from '../market/trading-days.ts'
import { SourceUnreachable } from '../platform/fetch/outcomes.ts'
import type { Secret } from '../platform/secret.ts'
import { textDocument } from './documents.ts'
import { NothingPublished, UnreadableDocument } from './faults.ts'
import { getDocument, joinUrl } from './fetch-days.ts'
import type { Items } from './observations.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { DailyPrices } from './reading/daily-prices.ts'
import { asRecord, isRecord, type JsonRecord, readJson, readPrice, scalarText, shown } from './reading/json-document.ts'
import { type CommonSettings, credential } from './settings.ts'

/** Europe Brent spot price FOB. Several series share the route. */
const SERIES = 'RBRTE'

const UNITS = '$/BBL'

export const eiaBrent = publisher({
  id: 'eia-brent',
  name: 'U.S. Energy Information Administration (EIA)',
  url: 'https://www.eia.gov',
  terms: 'Public domain; EIA asks to be named as the source.',
  redistributable: true,
  priority: 10,
  delivers: 'Brent',
  assets: ['Brent'],
  publishes: { days: 3, time: '20:00' }, // in the US afternoon, some weekdays later
  lateAt: { days: 8, time: '20:00' },
  publishesOn: isTradingDay,
  fetching: {
    readFrom: 'API v2',
    askFrom: { days: 1, time: '20:00' },
    pausesMinutes: [24 * 60], // once an evening is enough
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 1_000, requestsPerDay: 500 }, // 9,000 requests an hour and 5 a second are allowed
    needs: { EIA_API_KEY: credential("key of EIA's API") },
    connect: connectEiaBrent,
  },
  documents: [
    textDocument({
      kind: 'eia-brent-json',
      about: 'JSON of its API v2 for Brent (RBRTE)',
      recognise: ({ json = '' }) => /"(?:response|error)"\s*:/.test(json),
      parse: parseEiaBrent,
    }),
  ],
})

const API_URL = 'https://api.eia.gov'
const PATH = '/v2/petroleum/pri/spt/data/'
/** Maximum of the API; it may return fewer, so the next page begins where this one ended. */
const PAGE_ROWS = 5_000
/** More pages than the series will have for a long time. */
const PAGES_MAX = 20
const RATE_LIMIT_SECONDS = 300

function connectEiaBrent({
  ADDRESS: base = new URL(API_URL),
  EIA_API_KEY: key,
}: CommonSettings & { EIA_API_KEY: Secret }): FetchMethod {
  return {
    way: 'API',
    maxDaysPerRequest: 3_660,
    async *fetch(days, io) {
      let offset = 0
      for (let page = 1; page <= PAGES_MAX; page++) {
        const url = joinUrl(base, PATH, {
          frequency: 'daily',
          'data[0]': 'value',
          'facets[series][]': SERIES,
          start: days.from.toString(),
          end: days.to.toString(),
          'sort[0][column]': 'period',
          'sort[0][direction]': 'asc',
          offset: String(offset),
          length: String(PAGE_ROWS),
        })
        const name = `brent_${days.from}_${days.to}_${page}.json`
        const request = { secretQuery: { api_key: key }, conditional: false, meaningOf }
        const document = await getDocument(url, { name, days }, io, request)
        if (document === undefined) return
        yield document
        const { total, rows } = extentOf(document.bytes)
        offset += rows
        if (rows === 0 || offset >= total) return
      }
    },
  }
}

/** Reports `OVER_RATE_LIMIT` as a rate limit and not as a refused key. */
function meaningOf(_status: number, text: string): Error | undefined {
  if (!/OVER_RATE_LIMIT/.test(text)) return undefined
  return new SourceUnreachable('answers OVER_RATE_LIMIT', { retryable: true, retryAfterSeconds: RATE_LIMIT_SECONDS })
}

/** Returns the rows in total (stated as string or number) and in this response; zero for any other response, which the parser reports. */
function extentOf(bytes: Buffer): { total: number; rows: number } {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    const response = isRecord(body) ? body.response : undefined
    if (!isRecord(response) || !Array.isArray(response.data)) return { total: 0, rows: 0 }
    return { total: Number(response.total) || 0, rows: response.data.length }
  } catch (err) {
    if (err instanceof SyntaxError) return { total: 0, rows: 0 }
    throw err
  }
}

/** Yields the price of each trading day, $/bbl. Fails with UnreadableDocument. */
async function* parseEiaBrent(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  const rows = rowsOf(await readJson(text))
  let seriesRows = 0
  for (const [index, value] of rows.entries()) {
    const place = `row ${index + 1}`
    const row = asRecord(value, place)
    if (row.series !== SERIES) continue
    seriesRows += 1
    addRow(prices, row, place)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (rows.length === 0) throw new NothingPublished('document', `holds no row of the series ${SERIES}`)
  if (seriesRows === 0) {
    const instead = shown(asRecord(rows[0], 'row 1').series)
    throw new UnreadableDocument('document', `holds no row of the series ${SERIES}; the first is of ${instead}`)
  }
}

function rowsOf(body: unknown): readonly unknown[] {
  if (isRecord(body) && 'error' in body) throw new UnreadableDocument('document', errorDetail(body))
  const response = isRecord(body) ? body.response : undefined
  if (isRecord(response) && Array.isArray(response.data)) return response.data
  throw new UnreadableDocument('document', 'has no list of rows at response.data')
}

/** `{"error": {"code": "API_KEY_MISSING", "message": …}}` or `{"error": "Invalid frequency …", "code": 400}` */
function errorDetail({ error, code }: JsonRecord): string {
  const reason = isRecord(error) ? `${error.code}: ${error.message}` : `${code}: ${error}`
  return `the publisher answers with an error (${reason.slice(0, 300)})`
}

/** Records the price; reports a row without a valid day. */
function addRow(prices: DailyPrices, row: JsonRecord, place: string): void {
  if (row.units !== UNITS) {
    throw new UnreadableDocument(place, `is in ${shown(row.units)}, not in ${UNITS}`)
  }
  const day = parseMarketDay(scalarText(row.period) ?? '')
  if (day === undefined) {
    prices.reportImpossibleDate(place, `${shown(row.period)} is not a day of the calendar (YYYY-MM-DD)`)
    return
  }
  const price = readPrice(row.value)
  if (price !== undefined) prices.forDay('Brent', day).putOrReport(price, place)
}
