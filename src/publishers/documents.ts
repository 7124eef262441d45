/** The forms of documents, as publishers declare them: how each is distinguished from all others, and which parser reads it. */
import type { MarketDay } from '../market/market-day.ts'
import type { Items } from './observations.ts'
import type { PriceCsvOptions } from './price-csv/header.ts'
import type { Sheet } from './reading/workbook.ts'

/** Values given by the caller that override the document's. */
export interface DocumentHints extends PriceCsvOptions {
  /** Day of a list of offers whose file name does not state it. */
  day?: MarketDay
}

/** The beginning of a text, 64 KiB of it or all: XML, JSON, or lines. */
export interface TextHead {
  /** XML from its root element on, and that element's name without its prefix: empty where the beginning holds none. */
  xml?: string
  root?: string
  json?: string
  firstLine?: string
  /** Name for messages; a parser reads from it a day or a commodity that only the name states. */
  fileName: string
  hints: DocumentHints
}

/** Yields what the document states; fails with UnreadableDocument where it breaks off. */
export type Parse = (text: AsyncIterable<string>) => Items

export interface DocumentForm {
  /** `gme-mgp-xml`: unique among all publishers. */
  kind: string
  /** Description, for the README. */
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

/** `recognise` finds in the first lines what its parser needs, or just that it has this form. */
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
