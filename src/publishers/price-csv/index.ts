/** Prices in header-driven CSV, which anyone may write: the header determines shape, columns and separator. Rules in README.md. */

import { parseMarketDay } from '../../market/market-day.ts'
import { type TextHead, textDocument } from '../documents.ts'
import type { Items } from '../observations.ts'
import { type CsvRow, csvRows } from '../reading/csv-rows.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { DecimalReader } from '../reading/decimals.ts'
import { CO2_CONTRACT } from './columns.ts'
import { type Column, type DayLayout, type PriceCsvLayout, readHeader } from './header.ts'
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

/** Throws UnreadableDocument, naming what is missing, if the header has neither shape. */
function layoutOf<Shape extends PriceCsvLayout['shape']>(shape: Shape) {
  return ({ firstLine = '', fileName, hints }: TextHead) => {
    const layout = readHeader(firstLine, fileName, hints)
    return layout.shape === shape && (layout as Extract<PriceCsvLayout, { shape: Shape }>)
  }
}

// Rows of days: a date and a price column per asset. A row without a price is skipped: a missing day stays missing.

async function* parseDays(text: AsyncIterable<string>, layout: DayLayout): Items {
  const prices = new DailyPrices()
  const decimals = new DecimalReader(layout.separator)
  yield* prices.itemsFrom(csvRows(text, layout.separator), (rows) => {
    for (const row of rows) addRow(prices, row, layout, decimals)
  })
}

function addRow(prices: DailyPrices, row: CsvRow, layout: DayLayout, decimals: DecimalReader): void {
  const { assets, contract, date, auctionVolume } = layout
  if (contract !== undefined && cell(row, contract) !== CO2_CONTRACT) return
  const day = parseMarketDay(cell(row, date))
  for (const column of assets.filter((one) => cell(row, one) !== '')) {
    if (day === undefined) {
      const detail = `${JSON.stringify(cell(row, date))} is not a day of the calendar (YYYY-MM-DD)`
      prices.reportImpossibleDate(placeOf(row, date), detail)
      return
    }
    const open = prices.forDay(column.asset, day)
    const price = decimals.read(cell(row, column))
    if (typeof price !== 'number' || column.asset !== 'CO2' || auctionVolume === undefined) {
      open.putOrReport(price, placeOf(row, column))
      continue
    }
    const volume = decimals.read(cell(row, auctionVolume))
    if (typeof volume === 'number' && volume > 0) open.putAuction(price, volume)
    else {
      const detail = `the auction's volume is ${JSON.stringify(cell(row, auctionVolume))}`
      open.report({ code: 'not_a_number', place: placeOf(row, auctionVolume), detail })
    }
  }
}

function placeOf(row: CsvRow, { name }: Column): string {
  return `line ${row.info.lines}, column ${name}`
}

function cell(row: CsvRow, { index }: Column): string {
  return (row.record[index] ?? '').trim()
}
