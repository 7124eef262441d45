/** Fundamentals in a plain CSV layout, which anyone may write: a row per interval, a column per series. README.md. */
import { textDocument } from '../documents.ts'
import type { Items } from '../observations.ts'
import { zoneOfColumn } from '../price-csv/columns.ts'
import { readIntervalColumns } from '../price-csv/header.ts'
import { readIntervals } from '../price-csv/intervals.ts'
import { asFundamental } from '../reading/fundamental-days.ts'
import { fundamentalOfColumn } from './columns.ts'

export const fundamentalsCsv = textDocument({
  kind: 'fundamentals-csv',
  about:
    'a row per interval: `flow_date`, `ora` or `periodo`, optional `start_utc`, a column per fundamental ([columns](fundamentals-csv/README.md))',
  recognise: ({ firstLine = '' }) =>
    readIntervalColumns(firstLine, fundamentalOfColumn, (name) => zoneOfColumn(name) !== undefined),
  async *parse(text, layout): Items {
    for await (const item of readIntervals(text, layout)) yield asFundamental(item)
  },
})
