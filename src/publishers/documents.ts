/** The forms of documents, as publishers declare them: how each is told from all others, and which parser reads it. */
import type { MarketDay } from '../market/market-day.ts'
import type { Items } from './observations.ts'
import type { PriceCsvOptions } from './price-csv/header.ts'
import type { Sheet } from './reading/workbook.ts'

/** What the caller knows better than the document. */
export interface Told extends PriceCsvOptions {
  /** Of a list of offers whose file's name does not tell it. */
  day?: MarketDay
}

/** The beginning of a text, 64 KiB of it or all: XML, JSON, or lines. */
export interface TextHead {
  /** XML from its root element on, and that element's name without its prefix: empty where the beginning holds none. */
  xml?: string
  root?: string
  json?: string
  firstLine?: string
  /** Told to people; a day or a commodity that only a name states is read from it by the parser. */
  fileName: string
  told: Told
}

/** Yields what the document states; fails with UnreadableDocument where it breaks off. */
export type Parse = (text: AsyncIterable<string>) => Items

export interface DocumentForm {
  /** `gme-mgp-xml`: unique among all publishers. */
  kind: string
  /** What it is and holds, for the README. */
  about: string
  /** Days from the day at the front of the file's name to the day of its prices; absent where names say nothing. */
  daysAfterName?: number
  /** How the first line of an edition begins that is not in UTF-8 but in Windows-1252. */
  windows1252?: string
  /** Undefined where it is of another form. Fails with UnreadableDocument where it is of this one but cannot be read. */
  ofText?(head: TextHead): Parse | undefined
  ofWorkbook?(sheets: readonly Sheet[]): Parse | undefined
}

type About = Omit<DocumentForm, 'ofText' | 'ofWorkbook'>

/** `recognise` finds in the beginning what its parser needs to know, or just that it is of this form. */
export function textDocument<Found>({
  recognise,
  parse,
  ...about
}: About & {
  recognise(head: TextHead): Found | false | undefined
  parse(text: AsyncIterable<string>, found: Found, head: TextHead): Items
}): DocumentForm {
  return {
    ...about,
    ofText(head) {
      const found = recognise(head)
      return found === undefined || found === false ? undefined : (text) => parse(text, found, head)
    },
  }
}

/** `recognise` finds the table among the sheets. */
export function workbookDocument<Found>({
  recognise,
  parse,
  ...about
}: About & {
  recognise(sheets: readonly Sheet[]): Found | undefined
  parse(found: Found): Items
}): DocumentForm {
  return {
    ...about,
    ofWorkbook(sheets) {
      const found = recognise(sheets)
      return found === undefined ? undefined : () => parse(found)
    },
  }
}
