/** Day-ahead documents in GME's true format with invented prices. */
import type { MarketDay, ResolutionMinutes } from '../../src/market/market-day.ts'
import { intervalsInMarketDay } from '../../src/market/market-day.ts'

/** Tags in the order in which GME writes them: PUN, the coupling price, the zones, two of the zones abroad. */
const PRICE_TAGS = ['PUN', 'NAT', 'CALA', 'CNOR', 'CSUD', 'NORD', 'SARD', 'SICI', 'SUD', 'AUST', 'XGRE'] as const
export type GmeTag = (typeof PRICE_TAGS)[number]

/** Price as in the document; undefined leaves the tag out. */
export type PriceText = (tag: GmeTag, ordinal: number) => string | undefined

export interface GmeRows {
  day: MarketDay | string
  resolution?: Extract<ResolutionMinutes, 15 | 60>
  /** Number of rows; by default the day's number of intervals. */
  count?: number
  prices?: PriceText
  /** `MGP` by default. */
  market?: string
}

/** PUN: 101,25 in the first interval, 1 more in each following one; every zone has its own level. */
export const plainPrice: PriceText = (tag, ordinal) => commaDecimal(plainValue(tag, ordinal))

/** `plainPrice` as a number. */
export function plainValue(tag: GmeTag, ordinal: number): number {
  return 100 + PRICE_TAGS.indexOf(tag) + ordinal + 0.25
}

/** `101.25` as GME writes it: `101,250000`. */
export function commaDecimal(value: number): string {
  return value.toFixed(6).replace('.', ',')
}

/** `plainPrice` with other texts in some intervals of some tags: `plainPriceExcept({ PUN: { 3: '0,000000' } })`. */
export function plainPriceExcept(changes: Partial<Record<GmeTag, Record<number, string | undefined>>>): PriceText {
  return (tag, ordinal) => {
    const changed = changes[tag]
    return changed !== undefined && ordinal in changed ? changed[ordinal] : plainPrice(tag, ordinal)
  }
}

/** A whole document of one or more days. */
export function gmeXml(...parts: GmeRows[]): string {
  return gmeDocument(parts.map(gmeRows).join(''))
}

/** The frame of a document: XML declaration, root and inline schema around the rows. */
export function gmeDocument(rows: string): string {
  return `<?xml version="1.0" standalone="yes"?>\r\n<NewDataSet>\r\n${SCHEMA}${rows}</NewDataSet>`
}

/** The rows of a day. */
export function gmeRows({ day, resolution = 60, count, prices = plainPrice, market = 'MGP' }: GmeRows): string {
  const rows = count ?? intervalsInMarketDay(Temporal.PlainDate.from(day), resolution)
  return Array.from({ length: rows }, (_, index) => gmeRow(String(day), resolution, index + 1, prices, market)).join('')
}

function gmeRow(day: string, resolution: 15 | 60, ordinal: number, prices: PriceText, market: string): string {
  const name = resolution === 15 ? 'Prezzi15' : 'Prezzi'
  const interval =
    resolution === 15 ? `<Periodo>${ordinal}</Periodo>\r\n    <Granularity>PT15</Granularity>` : `<Ora>${ordinal}</Ora>`
  const cells = PRICE_TAGS.flatMap((tag) => {
    const text = prices(tag, ordinal)
    return text === undefined ? [] : [`    <${tag}>${text}</${tag}>\r\n`]
  })
  return `  <${name}>\r\n    <Data>${day.replaceAll('-', '')}</Data>\r\n    <Mercato>${market}</Mercato>\r\n    ${interval}\r\n${cells.join('')}  </${name}>\r\n`
}

const SCHEMA = `  <xs:schema id="NewDataSet" xmlns="" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:msdata="urn:schemas-microsoft-com:xml-msdata">
    <xs:element name="NewDataSet" msdata:IsDataSet="true" msdata:UseCurrentLocale="true">
      <xs:complexType>
        <xs:choice minOccurs="0" maxOccurs="unbounded">
          <xs:element name="Prezzi">
            <xs:complexType>
              <xs:sequence>
                <xs:element name="Data" type="xs:string" minOccurs="0" />
${PRICE_TAGS.map((tag) => `                <xs:element name="${tag}" type="xs:string" minOccurs="0" />\n`).join('')}              </xs:sequence>
            </xs:complexType>
          </xs:element>
        </xs:choice>
      </xs:complexType>
    </xs:element>
  </xs:schema>
`
