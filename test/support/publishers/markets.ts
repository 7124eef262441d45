/** GME's intraday markets, Terna's and ENTSO-E's imbalance prices: real format, invented values that differ by hour. */
import {
  type FundamentalArea,
  type FundamentalSeries,
  INTRADAY_SESSIONS,
  type IntradaySession,
  MACROZONES,
} from '../../../src/market/fundamentals.ts'
import {
  intervalStart,
  intervalsInMarketDay,
  type MarketDay,
  startOfMarketDay,
} from '../../../src/market/market-day.ts'
import { ALL_MARKET_ZONES } from '../../../src/market/zones.ts'
import { momentToInstant } from '../../../src/publishers/schedule.ts'
import { sourceDefinition } from '../../../src/publishers/sources.ts'
import { commaDecimal, type GmeTag, gmeXml } from '../gme-documents.ts'
import { zipArchive } from '../zip-archive.ts'
import { CREDENTIALS } from './credentials.ts'
import { instantOf, NO_DATA_DOCUMENT } from './entsoe.ts'
import { fundamentalHours } from './fundamentals.ts'
import { compact, dayOf, eachDay, gmeApi } from './gme-api.ts'
import type { Publisher, PublisherAnswer, PublisherState } from './publisher-server.ts'

const NOT_FOUND: PublisherAnswer = { status: 404, type: 'text/plain', body: 'not found' }

/** Published days of a span; with the fault `previous-day`, the day before each. */
function publishedDays(
  source: string,
  from: MarketDay,
  to: MarketDay,
  { at, fault }: PublisherState,
  publishes = sourceDefinition(source).publishes,
): MarketDay[] {
  const isPublished = (day: MarketDay) => Temporal.Instant.compare(momentToInstant(day, publishes), at) <= 0
  return [...eachDay(from, to)]
    .filter(isPublished)
    .map((day) => day.subtract({ days: fault === 'previous-day' ? 1 : 0 }))
}

export function gmeIntraday(tokenLife: () => number): Publisher {
  let stand: PublisherState | undefined
  const api = gmeApi(tokenLife, ({ segment, from, to }) =>
    publishedDays('gme-intraday', from, to, stand as PublisherState, timeOf(segment)).flatMap((day) =>
      apiRows(segment, day, (stand as PublisherState).fault),
    ),
  )
  return (request, now) => {
    stand = now
    const answer = api(request)
    const query = request.url.searchParams
    const market = query.get('Mercato')
    if (answer || market === null) return answer ?? NOT_FOUND
    const days = publishedDays(
      'gme-intraday',
      dayOf(query.get('DataInizio') ?? ''),
      dayOf(query.get('DataFine') ?? ''),
      now,
      timeOf(market),
    )
    const files = days.map((day) => ({ name: `${compact(day)}${market}Prezzi.xml`, content: xmlOf(market, day, now) }))
    return { type: 'application/zip', body: zipArchive(files) }
  }
}

/** Time of the results of an auction; undefined for the continuous market. */
function timeOf(segment: string) {
  return segment === 'XBID' ? undefined : INTRADAY_SESSIONS[segment.toLowerCase() as IntradaySession]
}

function seriesOf(segment: string): FundamentalSeries {
  return segment === 'XBID' ? 'xbid-hour-price' : (`${segment.toLowerCase()}-price` as FundamentalSeries)
}

function apiRows(segment: string, day: MarketDay, fault: PublisherState['fault']): object[] {
  const price = segment === 'XBID' ? 'ReferencePrice' : 'Price'
  const name = fault === 'changed-columns' ? `${price}New` : price
  return ALL_MARKET_ZONES.flatMap((zone) =>
    fundamentalHours(seriesOf(segment), zone, day).map((value, index) => {
      const at = { FlowDate: compact(day), Hour: String(index + 1), Zone: zone.toUpperCase(), Period: '0' }
      return { ...at, ...(segment === 'XBID' ? { Phase: '0' } : { Market: segment }), [name]: String(value) }
    }),
  )
}

function xmlOf(market: string, day: MarketDay, { fault }: PublisherState): string {
  const prices = (tag: GmeTag, ordinal: number) => {
    const zone = ALL_MARKET_ZONES.find((one) => one.toUpperCase() === tag)
    return zone && commaDecimal(fundamentalHours(seriesOf(market), zone, day)[ordinal - 1] as number)
  }
  const xml = gmeXml({ day, market, prices })
  return fault === 'changed-columns' ? xml.replace(/<(\/?)Ora>/g, '<$1Intervallo>') : xml
}

/** Repeats the value of each hour in its four quarter-hours. */
function quartersOf(series: FundamentalSeries, area: FundamentalArea, day: MarketDay): number[] {
  return fundamentalHours(series, area, day).flatMap((value) => [value, value, value, value])
}

export function terna(source: 'terna-imbalance' | 'terna-imbalance-preliminary'): Publisher {
  const suffix = source === 'terna-imbalance' ? '' : '-preliminary'
  return ({ url, body, headers }, stand) => {
    if (url.pathname === '/transparency/oauth/accessToken') {
      const form = new URLSearchParams(body)
      const isKnown =
        form.get('client_id') === CREDENTIALS.ternaId && form.get('client_secret') === CREDENTIALS.ternaSecret
      const reply = isKnown ? { access_token: 'example-terna-token', expires_in: 300 } : { error: 'invalid_client' }
      return { type: 'application/json', body: JSON.stringify(reply), isLoginOrToken: true }
    }
    if (headers.authorization !== 'Bearer example-terna-token')
      return { ...NOT_FOUND, status: 401, isLoginOrToken: true }
    const [from, to] = ['dateFrom', 'dateTo'].map((name) =>
      Temporal.PlainDate.from((url.searchParams.get(name) ?? '').split('/').reverse().join('-')),
    ) as [MarketDay, MarketDay]
    const dataset = url.pathname.split('/').at(-1) ?? ''
    const field = dataset.endsWith('prices') ? 'unbalance_price_EURxMWh' : 'zonal_aggregate_unbalance_MWh'
    const series = `imbalance-${dataset.endsWith('prices') ? 'price' : 'volume'}${suffix}` as FundamentalSeries
    const rows = publishedDays(source, from, to, stand).flatMap((day) =>
      MACROZONES.flatMap((area) =>
        quartersOf(series, area, day).map((value, index) => ({
          [stand.fault === 'changed-columns' ? 'data' : 'reference_date']: intervalStart(day, index + 1, 15)
            .toZonedDateTimeISO('Europe/Rome')
            .toPlainDateTime()
            .toString({ smallestUnit: 'second' })
            .replace('T', ' '),
          data_type: 'Quarto Orario',
          macrozone: area === 'macro-nord' ? 'NORD' : 'SUD',
          [field]: String(value),
        })),
      ),
    )
    return { type: 'application/json', body: JSON.stringify({ [dataset.replaceAll('-', '_')]: rows }) }
  }
}

export function entsoeImbalance(): Publisher {
  return ({ url }, stand) => {
    const query = url.searchParams
    if (query.get('securityToken') !== CREDENTIALS.entsoeToken) return { ...NOT_FOUND, status: 401 }
    const [from, end] = ['periodStart', 'periodEnd'].map((name) =>
      instantOf(query.get(name) ?? '')
        .toZonedDateTimeISO('Europe/Rome')
        .toPlainDate(),
    ) as [MarketDay, MarketDay]
    const eic = query.get('controlArea_Domain') ?? ''
    const area = eic === '10Y1001A1001A73I' ? 'macro-nord' : 'macro-sud'
    const days = publishedDays('entsoe-imbalance', from, end.subtract({ days: 1 }), stand)
    if (days.length === 0) return { status: 400, type: 'text/xml', body: NO_DATA_DOCUMENT }
    const element = stand.fault === 'changed-columns' ? 'imbalance_Price.new' : 'imbalance_Price.amount'
    return {
      type: 'text/xml',
      body: balancingDocument(
        eic,
        days.map((day) => balancingSeries(area, day, element)),
      ),
    }
  }
}

function balancingDocument(eic: string, series: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Balancing_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-6:balancingdocument:4:1"><mRID>example</mRID><type>A85</type>
<docStatus><value>A02</value></docStatus><area_Domain.mRID codingScheme="A01">${eic}</area_Domain.mRID>
${series.join('\n')}</Balancing_MarketDocument>`
}

function balancingSeries(area: FundamentalArea, day: MarketDay, element: string): string {
  const [start, end] = [day, day.add({ days: 1 })].map((edge) =>
    startOfMarketDay(edge).toString({ smallestUnit: 'minute' }),
  )
  const values = quartersOf('imbalance-price', area, day).slice(0, intervalsInMarketDay(day, 15))
  return `<TimeSeries><mRID>1</mRID><businessType>A19</businessType><currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>A01</curveType>
<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval><resolution>PT15M</resolution>
${values.map((value, i) => `<Point><position>${i + 1}</position><${element}>${value}</${element}></Point>`).join('\n')}</Period></TimeSeries>`
}
