/** ENTSO-E's API for document type A44, curve type A03: repeated prices are left out. */
import { marketDayOf, startOfMarketDay } from '../../../src/market/market-day.ts'
import { ZONE_BY_EIC } from '../../../src/publishers/entsoe/codes.ts'
import { CREDENTIALS } from './credentials.ts'
import { eachDay } from './gme-api.ts'
import type { Publisher, PublisherAnswer, PublisherState } from './publisher-server.ts'
import { mtuMinutes } from './truth.ts'

export const NO_DATA_DOCUMENT = `<?xml version="1.0" encoding="UTF-8"?>
<Acknowledgement_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0">
  <mRID>ack</mRID>
  <Reason><code>999</code><text>No matching data found for Data item Energy Prices [12.1.D] (10Y, 10Y) and interval.</text></Reason>
</Acknowledgement_MarketDocument>`

export function entsoe(): Publisher {
  return ({ url }, stand) => {
    const query = url.searchParams
    if (query.get('securityToken') !== CREDENTIALS.entsoeToken) {
      return { status: 401, type: 'text/xml', body: `Authentication failed: ${query.get('securityToken')}` }
    }
    const eic = query.get('in_Domain') ?? ''
    const from = marketDayOf(instantOf(query.get('periodStart') ?? ''))
    const to = marketDayOf(instantOf(query.get('periodEnd') ?? '')).subtract({ days: 1 })
    const series = [...eachDay(from, to)].flatMap((day, index) => seriesOf(eic, day, index, stand))
    return series.length === 0 ? { status: 400, type: 'text/xml', body: NO_DATA_DOCUMENT } : xml(series)
  }
}

function seriesOf(
  eic: string,
  requestedDay: Temporal.PlainDate,
  index: number,
  { truth, at, fault }: PublisherState,
): string[] {
  const day = fault === 'previous-day' ? requestedDay.subtract({ days: 1 }) : requestedDay
  const zone = ZONE_BY_EIC.get(eic)
  const prices = zone && truth.zones(day, at, day === requestedDay || index > 0)?.get(zone)
  if (prices === undefined) return []
  const amount = fault === 'changed-columns' ? 'price.value' : 'price.amount'
  const points = prices.flatMap((price, index) =>
    index > 0 && prices[index - 1] === price
      ? []
      : [`<Point><position>${index + 1}</position><${amount}>${price}</${amount}></Point>`],
  )
  const [start, end] = [day, day.add({ days: 1 })].map((edge) =>
    startOfMarketDay(edge).toString({ smallestUnit: 'minute' }),
  )
  return [
    `<TimeSeries><mRID>${index + 1}</mRID><auction.type>A01</auction.type><businessType>A62</businessType>
<in_Domain.mRID codingScheme="A01">${eic}</in_Domain.mRID><out_Domain.mRID codingScheme="A01">${eic}</out_Domain.mRID>
<contract_MarketAgreement.type>A01</contract_MarketAgreement.type><currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>A03</curveType>
<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval><resolution>PT${mtuMinutes(day)}M</resolution>
${points.join('\n')}</Period></TimeSeries>`,
  ]
}

export function xml(series: string[]): PublisherAnswer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
<mRID>example</mRID><revisionNumber>1</revisionNumber><type>A44</type>
${series.join('\n')}
</Publication_MarketDocument>`
  return { type: 'text/xml', body }
}

/** `202601132300` */
export function instantOf(text: string): Temporal.Instant {
  const [, date = '', hour, minute] = /^(\d{8})(\d{2})(\d{2})$/.exec(text) ?? []
  return Temporal.Instant.from(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${hour}:${minute}Z`)
}
