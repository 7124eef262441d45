/** Prices in header-driven CSV, which anyone may write: the header determines shape, columns and separator. Rules in README.md. */
import { type TextHead, textDocument } from '../documents.ts'
import { parseDays } from './days.ts'
import { type PriceCsvLayout, readHeader } from './header.ts'
import { readIntervals } from './intervals.ts'

export const priceCsv = [
  textDocument({
    kind: 'price-csv-intervals',
    about: 'a row per interval: `flow_date`, `ora` or `periodo`, optional `start_utc`, a column per zone or `pun`',
    recognise: layoutOf('intervals'),
    parse: readIntervals,
  }),
  textDocument({
    kind: 'price-csv-days',
    about: 'a row per day: a date column and a price column per asset',
    recognise: layoutOf('days'),
    parse: parseDays,
  }),
]

/** Fails with UnreadableDocument, naming what is missing, where the header has neither shape. */
function layoutOf<Shape extends PriceCsvLayout['shape']>(shape: Shape) {
  return ({ firstLine = '', fileName, hints }: TextHead) => {
    const layout = readHeader(firstLine, fileName, hints)
    return layout.shape === shape && (layout as Extract<PriceCsvLayout, { shape: Shape }>)
  }
}
