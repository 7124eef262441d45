/** Tells from its first characters what a document is, whose it is, and which parser reads it. A name is never believed. */
import type { MarketDay } from '../market/market-day.ts'
import { ROOT as OFFERS_ROOT } from '../publishers/arera-offers/codes.ts'
import { findAuctionReport, parseEexEua } from '../publishers/eex-eua/parse.ts'
import { NGP_BEGINNING } from '../publishers/eex-ttf/codes.ts'
import { parseNgp, readNgpHeader } from '../publishers/eex-ttf/parse-ngp.ts'
import { parseSettlementTable } from '../publishers/eex-ttf/parse-table.ts'
import { parseEiaBrent } from '../publishers/eia-brent/parse.ts'
import { ACKNOWLEDGEMENT_ROOT, PRICES_ROOT } from '../publishers/entsoe/codes.ts'
import { parseEntsoeA44 } from '../publishers/entsoe/parse.ts'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import { PRODUCT_ROW as GAS_PRODUCT_ROW } from '../publishers/gme-mgas/codes.ts'
import { parseGmeGas } from '../publishers/gme-mgas/parse.ts'
import { parseGasSessions } from '../publishers/gme-mgas/parse-json.ts'
import { findGasYear, parseGasYear } from '../publishers/gme-mgas/parse-workbook.ts'
import { parseGmeMgp } from '../publishers/gme-mgp/parse.ts'
import { parseGmeApi } from '../publishers/gme-mgp/parse-api.ts'
import { parseGmePages } from '../publishers/gme-mgp/parse-pages.ts'
import type { Parsed } from '../publishers/observations.ts'
import { assetNamedBy } from '../publishers/price-csv/columns.ts'
import { type PriceCsvOptions, readHeader } from '../publishers/price-csv/header.ts'
import { parsePriceCsv } from '../publishers/price-csv/parse.ts'
import { readWorkbook } from '../publishers/reading/workbook.ts'
import { freeMarketOffers, recogniseOffersCsv } from './recognise-offers.ts'

/** Enough for the longest header line and for an XML prolog with comments. */
export const HEAD_CHARACTERS = 64 * 1024

export type DocumentKind =
  | 'gme-mgp-xml'
  | 'gme-gas-xml'
  | 'gme-gas-json'
  | 'gme-gas-workbook'
  | 'gme-api-json'
  | 'gme-pages-json'
  | 'entsoe-a44-xml'
  | 'eia-brent-json'
  | 'eex-ngp-csv'
  | 'eex-table-json'
  | 'eex-eua-workbook'
  | 'free-market-offers-xml'
  | 'placet-offers-csv'
  | 'offer-parameters-csv'
  | 'index-months-csv'
  | 'price-csv-intervals'
  | 'price-csv-days'

/** What the caller knows better than the document. */
export interface RecogniseOptions extends PriceCsvOptions {
  /** Of a list of offers whose file's name does not tell it. */
  day?: MarketDay
}

export interface Recognised {
  kind: DocumentKind
  /** Id of the publisher in `src/publishers/index.ts`; absent where the form is anybody's. */
  source?: string
  /** Days from the day at the front of the file's name to the day of its prices; absent where names say nothing. */
  daysAfterName?: number
  /** Yields what the document states; fails with UnreadableDocument where it breaks off. */
  parse(text: AsyncIterable<string>): AsyncGenerator<Parsed, void, undefined>
}

/** Fails with UnreadableDocument, naming what was found, for anything that is not imported. */
export function recognise(head: string, fileName: string, options: RecogniseOptions): Recognised {
  if (head.trim() === '') throw new UnreadableDocument('document', 'is empty')
  const text = head.trimStart()
  if (text.startsWith('<')) return recogniseXml(text, fileName, options)
  if (/^[[{]/.test(text)) return recogniseJson(text, fileName, options)
  if (text.startsWith(NGP_BEGINNING)) {
    const columns = readNgpHeader(firstLine(head))
    return { kind: 'eex-ngp-csv', source: 'eex-ttf', parse: (all) => parseNgp(all, columns) }
  }
  return recogniseOffersCsv(firstLine(head), fileName, options) ?? recognisePriceCsv(firstLine(head), fileName, options)
}

function recognisePriceCsv(header: string, fileName: string, options: RecogniseOptions): Recognised {
  const layout = readHeader(header, fileName, options)
  return { kind: `price-csv-${layout.shape}`, parse: (all) => parsePriceCsv(all, layout) }
}

/** The same for the bytes of a workbook, whose parser has them already. */
export async function recogniseWorkbook(bytes: Uint8Array): Promise<Recognised> {
  const sheets = await readWorkbook(bytes)
  const report = findAuctionReport(sheets)
  if (report) return { kind: 'eex-eua-workbook', source: 'eex-eua', parse: () => parseEexEua(report) }
  const year = findGasYear(sheets)
  if (year) return { kind: 'gme-gas-workbook', source: 'gme-mgas', parse: () => parseGasYear(year) }
  const names = sheets.slice(0, 5).map(({ name }) => JSON.stringify(name))
  throw new UnreadableDocument(
    'workbook',
    `is a workbook without a table of auctions or of the gas market (sheets ${names.join(', ')}), which is not imported: save the sheet as CSV`,
  )
}

const GME_POWER: Recognised = { kind: 'gme-mgp-xml', source: 'gme-mgp', daysAfterName: 0, parse: parseGmeMgp }
const GME_GAS: Recognised = { kind: 'gme-gas-xml', source: 'gme-mgas', daysAfterName: 1, parse: parseGmeGas }
const ENTSOE: Recognised = { kind: 'entsoe-a44-xml', source: 'entsoe', parse: parseEntsoeA44 }

/** The parsers would refuse what is unknown as well, but only here can the message say what the document is. */
function recogniseXml(text: string, fileName: string, options: RecogniseOptions): Recognised {
  const body = text.replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, '')
  if (/^<!DOCTYPE/i.test(body)) {
    throw new UnreadableDocument(
      'document',
      'has a document type declaration (DOCTYPE), which is refused: entities are never expanded',
    )
  }
  const root = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(body)?.[1]
  if (root === undefined || root === 'NewDataSet') return namesGasProducts(body) ? GME_GAS : GME_POWER
  if (root === PRICES_ROOT || root === ACKNOWLEDGEMENT_ROOT) return ENTSOE
  if (root === OFFERS_ROOT) return freeMarketOffers(fileName, options)
  throw new UnreadableDocument(
    'document',
    `is XML with the root <${root}>; imported are GME's <NewDataSet>, ENTSO-E's <${PRICES_ROOT}> and the offers portal's <${OFFERS_ROOT}>`,
  )
}

/** By a row or, in a document without rows, by the schema at its front. */
function namesGasProducts(body: string): boolean {
  return body.includes(`<${GAS_PRODUCT_ROW}>`) || body.includes(`name="${GAS_PRODUCT_ROW}"`)
}

const GME_GAS_JSON: Recognised = {
  kind: 'gme-gas-json',
  source: 'gme-mgas',
  daysAfterName: 1,
  parse: parseGasSessions,
}
const GME_API: Recognised = { kind: 'gme-api-json', source: 'gme-mgp', parse: parseGmeApi }
const GME_PAGES: Recognised = { kind: 'gme-pages-json', source: 'gme-mgp', parse: parseGmePages }
const EIA: Recognised = { kind: 'eia-brent-json', source: 'eia-brent', parse: parseEiaBrent }
const EEX_TABLE: Recognised = { kind: 'eex-table-json', source: 'eex-ttf', parse: parseSettlementTable }

/** Told apart by the names of fields that no other publisher has. */
function recogniseJson(text: string, fileName: string, options: PriceCsvOptions): Recognised {
  if (/^\[\s*\]\s*$/.test(text)) throw new NothingPublished('document', 'is an empty list')
  if (/"(?:Product|prodotto)"\s*:/.test(text)) return GME_GAS_JSON
  if (/"FlowDate"\s*:/.test(text)) return GME_API
  if (/"df"\s*:/.test(text)) return ofNamedZones(text, options)
  if (/"header"\s*:\s*\[/.test(text)) return ofTtf(EEX_TABLE, fileName, options)
  if (/"(?:response|error)"\s*:/.test(text)) return EIA
  throw new UnreadableDocument('document', 'is JSON of no known publisher')
}

/** A list of rows names no zone; taken alone it can only be the PUN's, where the caller says so. */
function ofNamedZones(text: string, { asset }: PriceCsvOptions): Recognised {
  if (!text.startsWith('[') || asset === 'pun') return GME_PAGES
  throw new UnreadableDocument('document', 'does not say of which zone its prices are: pass --asset pun if of the PUN')
}

/** A table of settlements names no market: its file must, or the caller. */
function ofTtf(recognised: Recognised, fileName: string, { asset }: PriceCsvOptions): Recognised {
  if ((asset ?? assetNamedBy(fileName)?.toLowerCase()) === 'ttf') return recognised
  throw new UnreadableDocument('document', 'does not say of which market its settlements are: pass --asset ttf')
}

function firstLine(head: string): string {
  const end = head.search(/\r?\n/)
  if (end < 0 && head.length >= HEAD_CHARACTERS) {
    throw new UnreadableDocument('document', 'is neither XML nor CSV: its first line does not end')
  }
  return end < 0 ? head : head.slice(0, end)
}
