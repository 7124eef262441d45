/** ENTSO-E's API for load, generation, their forecasts and neighbours' prices, and Open-Meteo: real format, invented values. */
import { type FundamentalArea, type FundamentalSeries, WEATHER_PLACES } from '../../../src/market/fundamentals.ts'
import { hoursInMarketDay, type MarketDay, marketDayOf, startOfMarketDay } from '../../../src/market/market-day.ts'
import { ITALIAN_AREA_BY_EIC, NEIGHBOUR_BY_EIC } from '../../../src/publishers/entsoe/codes.ts'
import { PREVIOUS_RUN_SUFFIX, VARIABLES } from '../../../src/publishers/open-meteo.ts'
import { momentToInstant } from '../../../src/publishers/schedule.ts'
import { sourceDefinition } from '../../../src/publishers/sources.ts'
import { CREDENTIALS } from './credentials.ts'
import { instantOf, NO_DATA_DOCUMENT, xml } from './entsoe.ts'
import { eachDay } from './gme-api.ts'
import type { Publisher, PublisherState } from './publisher-server.ts'

/** The hours of a day; every series, area and hour has its own value. */
export function fundamentalHours(series: FundamentalSeries, area: FundamentalArea, day: MarketDay): number[] {
  const level = 1_000 + series.length * 100 + area.charCodeAt(0) * 10 + (area.charCodeAt(1) || 0) + day.day
  return Array.from({ length: hoursInMarketDay(day) }, (_, index) => level + index)
}

/** Maps the parameters of a request to the requested series. */
const SERIES: Record<string, (parameters: URLSearchParams) => [FundamentalSeries, string][]> = {
  A65: (parameters) => [[parameters.get('processType') === 'A01' ? 'load-forecast' : 'load', '']],
  A69: () => [
    ['solar-forecast', 'B16'],
    ['wind-forecast', 'B19'],
  ],
  A75: (parameters) =>
    (
      [
        ['generation-solar', 'B16'],
        ['generation-wind-onshore', 'B19'],
        ['generation-gas', 'B04'],
      ] as [FundamentalSeries, string][]
    ).filter(([, type]) => (parameters.get('psrType') ?? type) === type),
  A44: () => [['day-ahead-price', '']],
}

export function entsoeFundamentals(source: string): Publisher {
  return ({ url }, stand) => {
    const query = url.searchParams
    if (query.get('securityToken') !== CREDENTIALS.entsoeToken) {
      return { status: 401, type: 'text/xml', body: `Authentication failed: ${query.get('securityToken')}` }
    }
    const type = query.get('documentType') ?? ''
    const eic = query.get('in_Domain') ?? query.get('outBiddingZone_Domain') ?? ''
    const area = ITALIAN_AREA_BY_EIC.get(eic) ?? NEIGHBOUR_BY_EIC.get(eic)
    const days = daysOf(query, stand).filter(({ asked }) => isPublished(source, asked, stand.at))
    const wanted = SERIES[type]?.(query) ?? []
    const series = wanted.flatMap(([name, psrType]) =>
      days.map(({ stated }) => {
        const period = periodOf(
          stated,
          area === undefined ? [] : fundamentalHours(name, area, stated),
          elementOf(type, stand),
        )
        return type === 'A44' ? priceSeries(eic, period) : quantitySeries(eic, type, psrType, period)
      }),
    )
    if (series.length === 0 || area === undefined) return { status: 400, type: 'text/xml', body: NO_DATA_DOCUMENT }
    if (type === 'A44') return xml(series)
    const process = `<process.processType>${query.get('processType')}</process.processType>`
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<GL_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-6:generationloaddocument:3:0">
<mRID>example</mRID><revisionNumber>1</revisionNumber><type>${type}</type>${process}
${series.join('\n')}
</GL_MarketDocument>`
    return { type: 'text/xml', body }
  }
}

function daysOf(query: URLSearchParams, { fault }: PublisherState) {
  const from = marketDayOf(instantOf(query.get('periodStart') ?? ''))
  const to = marketDayOf(instantOf(query.get('periodEnd') ?? '')).subtract({ days: 1 })
  const shift = fault === 'previous-day' ? 1 : 0
  return [...eachDay(from, to)].map((asked) => ({ asked, stated: asked.subtract({ days: shift }) }))
}

function isPublished(source: string, day: MarketDay, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(momentToInstant(day, sourceDefinition(source).publishes), at) <= 0
}

function elementOf(type: string, { fault }: PublisherState): string {
  const usual = type === 'A44' ? 'price.amount' : 'quantity'
  return fault === 'changed-columns' ? `${usual}.new` : usual
}

function periodOf(day: MarketDay, hours: number[], element: string): string {
  const points = hours.map(
    (value, i) => `<Point><position>${i + 1}</position><${element}>${value}</${element}></Point>`,
  )
  const [start, end] = [day, day.add({ days: 1 })].map((edge) =>
    startOfMarketDay(edge).toString({ smallestUnit: 'minute' }),
  )
  return `<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval><resolution>PT60M</resolution>
${points.join('\n')}</Period>`
}

function quantitySeries(eic: string, type: string, psrType: string, period: string): string {
  const side = type === 'A65' ? 'out' : 'in'
  const kind = psrType === '' ? '' : `<MktPSRType><psrType>${psrType}</psrType></MktPSRType>`
  return `<TimeSeries><mRID>1</mRID><businessType>A01</businessType><objectAggregation>A01</objectAggregation>
<${side}BiddingZone_Domain.mRID codingScheme="A01">${eic}</${side}BiddingZone_Domain.mRID><quantity_Measure_Unit.name>MAW</quantity_Measure_Unit.name>
<curveType>A01</curveType>${kind}${period}</TimeSeries>`
}

function priceSeries(eic: string, period: string): string {
  return `<TimeSeries><mRID>1</mRID><auction.type>A01</auction.type><businessType>A62</businessType>
<in_Domain.mRID codingScheme="A01">${eic}</in_Domain.mRID><out_Domain.mRID codingScheme="A01">${eic}</out_Domain.mRID>
<contract_MarketAgreement.type>A01</contract_MarketAgreement.type><currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>A03</curveType>
${period}</TimeSeries>`
}

/** Weather at a place in an hour (Unix seconds). */
export function weatherAt(variable: string, place: number, second: number): number {
  return Math.round(((second / 3600) % 24) * 10 + place + variable.length) / 10
}

/** Every run is available as soon as it is requested; with the fault `late`, values are null. */
export function openMeteo(): Publisher {
  return ({ url }, { fault, at }) => {
    const query = url.searchParams
    const [start, end] = ['start_hour', 'end_hour'].map((name) => Date.parse(`${query.get(name)}Z`) / 1000)
    const shift = fault === 'previous-day' ? 86_400 : 0
    const times: number[] = []
    for (let time = (start as number) - shift; time <= (end as number) - shift; time += 3600) times.push(time)
    const isLate = at.epochMilliseconds < Date.parse('2000-01-01')
    const columns = (query.get('hourly') ?? '').split(',')
    const places = (query.get('latitude') ?? '').split(',').map((latitude, place) => ({
      latitude: Number(latitude) + 0.02,
      longitude: Number((query.get('longitude') ?? '').split(',')[place]),
      utc_offset_seconds: 0,
      timezone: 'GMT',
      hourly_units: Object.fromEntries(
        columns.map((name) => [name, VARIABLES[name.replace(PREVIOUS_RUN_SUFFIX, '')]?.unit]),
      ),
      hourly: Object.fromEntries([
        ['time', times],
        ...columns.map((name) => [
          fault === 'changed-columns' ? `${name}_new` : name,
          times.map((time) => (isLate ? null : weatherAt(name, place, time))),
        ]),
      ]),
    }))
    if (places.length !== WEATHER_PLACES.length) {
      return { status: 400, type: 'application/json', body: JSON.stringify({ error: true, reason: 'too few places' }) }
    }
    return { type: 'application/json', body: JSON.stringify(places) }
  }
}
