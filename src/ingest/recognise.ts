/** Tells from its first characters what a document is, whose it is, and which parser reads it. A name is never believed. */
import { PRODUCT_ROW as GAS_PRODUCT_ROW } from '../sources/gme-gas/codes.ts'
import { parseGmeGas } from '../sources/gme-gas/parse.ts'
import { parseGmeMgp } from '../sources/gme-mgp/parse.ts'
import { type Parsed, UnreadableDocument } from '../sources/observations.ts'
import { type PriceCsvOptions, readHeader } from '../sources/price-csv/header.ts'
import { parsePriceCsv } from '../sources/price-csv/parse.ts'

/** Enough for the longest header line and for an XML prolog with comments. */
export const HEAD_CHARACTERS = 64 * 1024

export type DocumentKind = 'gme-mgp-xml' | 'gme-gas-xml' | 'price-csv-intervals' | 'price-csv-days'

export interface Recognised {
  kind: DocumentKind
  /** Id of the publisher in `src/sources/index.ts`; absent where the form is anybody's. */
  source?: string
  /** Days from the day at the front of the file's name to the day of its prices; absent where names say nothing. */
  daysAfterName?: number
  /** Yields what the document states; fails with UnreadableDocument where it breaks off. */
  parse(text: AsyncIterable<string>): AsyncGenerator<Parsed, void, undefined>
}

/** Fails with UnreadableDocument, naming what was found, for anything that is not imported. */
export function recognise(head: string, fileName: string, options: PriceCsvOptions): Recognised {
  if (head.trim() === '') throw new UnreadableDocument('document', 'is empty')
  const text = head.trimStart()
  if (text.startsWith('<')) return recogniseXml(text)
  if (/^[[{]/.test(text))
    throw new UnreadableDocument('document', 'is JSON, which is not imported: only XML of GME and CSV are')
  const layout = readHeader(firstLine(head), fileName, options)
  return { kind: `price-csv-${layout.shape}`, parse: (all) => parsePriceCsv(all, layout) }
}

const GME_POWER: Recognised = { kind: 'gme-mgp-xml', source: 'gme-mgp', daysAfterName: 0, parse: parseGmeMgp }
const GME_GAS: Recognised = { kind: 'gme-gas-xml', source: 'gme-mgas', daysAfterName: 1, parse: parseGmeGas }

/** The parsers would refuse what is unknown as well, but only here can the message say what the document is. */
function recogniseXml(text: string): Recognised {
  const body = text.replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, '')
  if (/^<!DOCTYPE/i.test(body)) {
    throw new UnreadableDocument(
      'document',
      'has a document type declaration (DOCTYPE), which is refused: entities are never expanded',
    )
  }
  const root = /^<([\w.:-]+)/.exec(body)?.[1]
  if (root === undefined || root === 'NewDataSet') return namesGasProducts(body) ? GME_GAS : GME_POWER
  throw new UnreadableDocument(
    'document',
    `is XML with the root <${root}>; only GME's <NewDataSet> with day-ahead prices is imported`,
  )
}

/** By a row or, in a document without rows, by the schema at its front. */
function namesGasProducts(body: string): boolean {
  return body.includes(`<${GAS_PRODUCT_ROW}>`) || body.includes(`name="${GAS_PRODUCT_ROW}"`)
}

function firstLine(head: string): string {
  const end = head.search(/\r?\n/)
  if (end < 0 && head.length >= HEAD_CHARACTERS) {
    throw new UnreadableDocument('document', 'is neither XML nor CSV: its first line does not end')
  }
  return end < 0 ? head : head.slice(0, end)
}
