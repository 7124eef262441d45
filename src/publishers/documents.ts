/** Document forms as publishers declare them: how each is recognised, and which parser reads it. */
import type { MarketDay } from '../market/market-day.ts'
import type { Items } from './observations.ts'
import type { PriceCsvOptions } from './price-csv/header.ts'
import type { Sheet } from './reading/workbook.ts'

/** Values given by the caller that override the document's. */
export interface DocumentHints extends PriceCsvOptions {
  /** Day of an offer list; overrides the one in the file name. */
  day?: MarketDay
}

/** The beginning of a text, 64 KiB of it or all: XML, JSON, or lines. */
export interface TextHead {
  /** XML from its root element on, and that element's name without prefix; the name is empty if there is none yet. */
  xml?: string
  root?: string
  json?: string
  firstLine?: string
  /** Name for messages; a parser may also read a day or a commodity from it that only the name states. */
  fileName: string
  hints: DocumentHints
}

/** Yields the items of the document; fails with UnreadableDocument where it breaks off. */
export type Parse = (text: AsyncIterable<string>) => Items

export interface DocumentForm {
  /** `gme-mgp-xml`: unique among all publishers. */
  kind: string
  /** Description, for the README. */
  about: string
  /** Days from the date at the start of the file name to the day of its prices; absent if names state no date. */
  daysAfterName?: number
  /** Beginning of the first line of editions in Windows-1252 instead of UTF-8. */
  windows1252?: string
  /** Returns undefined for another form. Throws UnreadableDocument for a document of this form that cannot be read. */
  ofText?(head: TextHead): Parse | undefined
  ofWorkbook?(sheets: readonly Sheet[]): Parse | undefined
}

type About = Omit<DocumentForm, 'ofText' | 'ofWorkbook'>

/** `recognise` returns what the parser needs from the first lines, or only whether the form matches. */
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

/** `recognise` returns the table from among the sheets. */
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
