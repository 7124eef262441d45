/** The requests of a soak test, and checks of the responses: their content, not only their status. */
import { createHash } from 'node:crypto'
import { hoursInMarketDay, type MarketDay, marketDayOf } from '../../src/market/market-day.ts'
import type { OpenapiValidator } from '../support/openapi-validator.ts'

export interface Client {
  baseUrl: URL
  /** An Enterprise key with high limits. */
  key: string
  validator: OpenapiValidator
  /** An alert whose test calls go to the receiver of the soak test. */
  alertId: string
  /** Returns numbers from 0 to 1. */
  random(): number
}

/** One exchange, or a few related ones. Throws a description if the response is wrong. */
export type Task = (client: Client) => Promise<void>

interface TrafficResponse {
  status: number
  headers: Headers
  text: string
}

/** Few enough to be all cached after a while, so that later growth is not the cache's. */
const DISTINCT_DAYS = 50
const DAY_STEP = 13

/** By name; tasks listed twice are run twice as often. */
export const TRAFFIC: [name: string, task: Task][] = [
  ['open: today', today],
  ['open: today', today],
  ['open: conditional', conditional],
  ['open: page', page],
  ['keyed: series', series],
  ['keyed: series', series],
  ['keyed: CSV', seriesAsCsv],
  ['keyed: hours of a day', hoursOfADay],
  ['keyed: hours of a month', hoursOfAMonth],
  ['keyed: zones', zones],
  ['analytics: vitals', (client) => requestAndValidate(client, '/v1/trading/vitals')],
  ['analytics: correlation', correlation],
  ['analytics: backtest', backtest],
  ['forecast', forecast],
  ['offers', (client) => requestAndValidate(client, '/v1/svc-index')],
  [
    'tools: bill estimate',
    (client) => requestAndValidate(client, '/v1/tools/bill-estimate?commodity=luce&consumption=2700'),
  ],
  ['refused: no key', noKey],
  ['refused: bad parameter', badParameter],
]

/** Run every few seconds, by one client. */
export const SLOW_TRAFFIC: [name: string, task: Task][] = [
  ['alerts: test', testAlert],
  ['bulk: download', download],
]

async function today(client: Client): Promise<void> {
  const body = json<{ values: Record<string, { value: number }> }>(await sendRequest(client, '/v1/today'))
  for (const [asset, { value }] of Object.entries(body.values))
    assertThat(Number.isFinite(value), `${asset} is ${value}`)
  assertThat('PUN' in body.values, 'there is no PUN')
}

async function conditional(client: Client): Promise<void> {
  const first = await sendRequest(client, '/v1/status')
  const etag = first.headers.get('etag')
  assertThat(etag !== null, 'there is no ETag')
  const second = await sendRequest(client, '/v1/status', { headers: { 'If-None-Match': etag ?? '' } }, [200, 304])
  assertThat(second.status === 200 || second.text === '', '304 has a body')
}

async function page(client: Client): Promise<void> {
  const { text } = await sendRequest(client, pick(client, ['/', '/docs', await pageOfPun(client)]))
  assertThat(text.includes('</html>'), 'the page is cut short')
}

/** Every observation links to a page. */
async function pageOfPun(client: Client): Promise<string> {
  const { page } = json<{ page: string }>(await sendRequest(client, '/v1/pun/today'))
  return new URL(page).pathname
}

async function series(client: Client): Promise<void> {
  const { asset, from, to } = randomSpan(client, 90)
  const { points, count } = json<Series>(await sendRequest(client, `/v1/prices/${asset}/series?from=${from}&to=${to}`))
  assertThat(count === points.length, `count is ${count}, there are ${points.length} points`)
  const days = points.map(({ date }) => date)
  assertThat(days.join() === [...new Set(days)].sort().join(), 'days are out of order')
  if (asset === 'pun') assertThat(count === 91, `${count} days of 91`)
}

interface Series {
  count: number
  points: { date: string; value: number }[]
}

async function seriesAsCsv(client: Client): Promise<void> {
  const { asset, from, to } = randomSpan(client, 30)
  const path = `/v1/prices/${asset}/series?from=${from}&to=${to}`
  const { points } = json<Series>(await sendRequest(client, path))
  const { text } = await sendRequest(client, `${path}&format=csv`)
  const [, ...lines] = text.trimEnd().split(/\r?\n/)
  assertThat(lines.length === points.length, `${lines.length} lines for ${points.length} points`)
  for (const [i, { date, value }] of points.entries()) {
    // As parsed by spreadsheets in Italy.
    const fields = (lines[i] ?? '').split(';')
    const same = fields.includes(date) && fields.some((field) => Number(field.replace(',', '.')) === value)
    assertThat(same, `"${lines[i]}" is not ${date} ${value}`)
  }
}

async function hoursOfADay(client: Client): Promise<void> {
  const day = randomDay(client)
  const zone = pick(client, ['nazionale', 'nord', 'sud'])
  const body = json<{ hours: { hour: number }[] }>(await sendRequest(client, `/v1/pun/hourly?zone=${zone}&date=${day}`))
  assertThat(body.hours.length === hoursInMarketDay(day), `${day} has ${body.hours.length} hours`)
}

async function hoursOfAMonth(client: Client): Promise<void> {
  const from = randomDay(client)
  const body = json<{ count: number }>(
    await sendRequest(client, `/v1/pun/hourly?from=${from}&to=${from.add({ days: 27 })}`),
  )
  assertThat(body.count === 28, `${body.count} days of 28`)
}

async function zones(client: Client): Promise<void> {
  await requestAndValidate(client, `/v1/pun/zones?date=${randomDay(client)}`)
}

async function correlation(client: Client): Promise<void> {
  const { matrix } = json<{ matrix: number[][] }>(await sendRequest(client, '/v1/trading/correlation?window=90'))
  for (const [i, row] of matrix.entries()) {
    for (const [j, value] of row.entries()) {
      assertThat(Math.abs(value) <= 1 && value === matrix[j]?.[i], `correlation ${i},${j} is ${value}`)
    }
  }
}

async function backtest(client: Client): Promise<void> {
  const from = randomDay(client)
  const fast = 2 + Math.floor(client.random() * 10)
  const body = { asset: 'pun', strategy: 'sma_cross', from, to: from.add({ days: 27 }), params: { fast, slow: 14 } }
  await requestAndValidate(client, '/v1/trading/backtest', { method: 'POST', body: JSON.stringify(body) })
}

async function forecast(client: Client): Promise<void> {
  const asset = pick(client, ['pun', 'psv', 'ttf'])
  const answer = await sendRequest(client, `/v1/forecast/${asset}?horizon=30`)
  const rows = Object.values(json<Record<string, unknown>>(answer)).find(Array.isArray) as Band[] | undefined
  assertThat(rows !== undefined && rows.length > 0, 'there is no forecast')
  for (const { p10, p50, p90 } of rows ?? []) assertThat(p10 <= p50 && p50 <= p90, `the band is ${p10}, ${p50}, ${p90}`)
}

interface Band {
  p10: number
  p50: number
  p90: number
}

async function noKey(client: Client): Promise<void> {
  await sendRequest({ ...client, key: '' }, '/v1/pun/hourly', {}, [401])
}

async function badParameter(client: Client): Promise<void> {
  const { param } = json<{ param: string }>(
    await sendRequest(client, '/v1/prices/pun/series?from=yesterday', {}, [400]),
  )
  assertThat(param === 'from', `it names ${param}`)
}

async function testAlert(client: Client): Promise<void> {
  await sendRequest(client, `/v1/alerts/${client.alertId}/test`, { method: 'POST' }, [200, 429]) // limited to six a minute
}

async function download(client: Client): Promise<void> {
  const dataset = pick(client, ['pun-hourly', 'prices-daily', 'forecast-history', 'forecasts-hourly', 'mercato-libero'])
  const format = pick(client, ['parquet', 'csv.gz'])
  const described = json<{ download_url: string; bytes: number; sha256: string }>(
    await sendRequest(client, `/v1/bulk/${dataset}?format=${format}`),
  )
  const response = await fetch(described.download_url)
  const bytes = Buffer.from(await response.arrayBuffer())
  assertThat(response.status === 200, `${dataset} was answered with ${response.status}`)
  assertThat(bytes.length === described.bytes, `${dataset} has ${bytes.length} bytes of ${described.bytes}`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  assertThat(hash === described.sha256, `${dataset} is another file than described`)
}

/** For responses that the documented schema specifies completely. */
async function requestAndValidate(client: Client, path: string, init: RequestInit = {}): Promise<void> {
  await sendRequest(client, path, init)
}

async function sendRequest(
  client: Client,
  path: string,
  init: RequestInit = {},
  statuses = [200],
): Promise<TrafficResponse> {
  const url = new URL(path, client.baseUrl)
  const headers = new Headers(init.headers)
  if (client.key !== '') headers.set('Authorization', `Bearer ${client.key}`)
  if (init.body) headers.set('Content-Type', 'application/json')
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  const { status } = response
  assertThat(statuses.includes(status), `${path} was answered with ${status}: ${text.slice(0, 200)}`)
  if (path.startsWith('/v1')) {
    const contentType = response.headers.get('content-type')
    client.validator.check({ method: init.method ?? 'GET', url: path, status, contentType, body: text })
  }
  return { status, headers: response.headers, text }
}

function randomSpan(client: Client, days: number): { asset: string; from: MarketDay; to: MarketDay } {
  const to = randomDay(client)
  return { asset: pick(client, ['pun', 'psv', 'ttf', 'brent', 'co2']), from: to.subtract({ days }), to }
}

function randomDay(client: Client): MarketDay {
  const back = 40 + DAY_STEP * Math.floor(client.random() * DISTINCT_DAYS)
  return marketDayOf(Temporal.Now.instant()).subtract({ days: back })
}

function pick<T>(client: Client, values: readonly T[]): T {
  return values[Math.floor(client.random() * values.length)] as T
}

function json<T>({ text }: TrafficResponse): T {
  return JSON.parse(text) as T
}

function assertThat(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
