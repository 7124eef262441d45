/**
 * TTF day-ahead settlements from the tables of EEX's market data, `{"header": [names], "data": [[cells]]}`. Traps: order and set of
 * the columns differ by product, so they are read by name; the table does not name its market, the caller does; days
 * without trading are missing or have empty cells; settlements are corrected later. The day is that of delivery: a table without
 * it is one of futures or of an index, not of the day-ahead product, and is refused.
 */
import { parseMarketDay } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { isRecord, readJson, readPrice, scalarText, shown } from '../reading/json-document.ts'
import { CURRENCY, TABLE_COLUMNS, UNIT } from './codes.ts'

interface Layout {
  day: number
  price: number
  currency: number
  unit: number
}

/** Yields the settlement of each delivery day, €/MWh. Fails with UnreadableDocument. */
export async function* parseSettlementTable(text: AsyncIterable<string>): Items {
  const { header, data } = tableOf(await readJson(text))
  const layout = readLayout(header)
  const prices = new DailyPrices()
  for (const [index, row] of data.entries()) {
    const place = `row ${index + 1}`
    if (!Array.isArray(row) || row.length !== header.length) {
      throw new UnreadableDocument(place, `does not have the ${header.length} cells that the header names`)
    }
    addRow(prices, row, layout, place)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (data.length === 0) throw new NothingPublished('document', 'holds no row')
}

function tableOf(body: unknown): { header: readonly unknown[]; data: readonly unknown[] } {
  if (isRecord(body) && Array.isArray(body.header) && Array.isArray(body.data)) {
    return { header: body.header, data: body.data }
  }
  throw new UnreadableDocument('document', 'is no table with a header and data')
}

function readLayout(header: readonly unknown[]): Layout {
  const indexOf = (name: string): number => {
    const index = header.indexOf(name)
    if (index >= 0) return index
    throw new UnreadableDocument('header', `has no column ${name}; its columns are: ${header.slice(0, 12).join(', ')}`)
  }
  const { day, price, currency, unit } = TABLE_COLUMNS
  return { day: indexOf(day), price: indexOf(price), currency: indexOf(currency), unit: indexOf(unit) }
}

/** Notes the price; a row that belongs to no day is reported. */
function addRow(prices: DailyPrices, row: readonly unknown[], layout: Layout, place: string): void {
  const price = readPrice(row[layout.price])
  if (price === undefined) return
  const [currency, unit] = [row[layout.currency], row[layout.unit]]
  if (currency !== CURRENCY || unit !== UNIT) {
    throw new UnreadableDocument(place, `is in ${shown(currency)} per ${shown(unit)}, not in ${CURRENCY} per ${UNIT}`)
  }
  const day = parseMarketDay(scalarText(row[layout.day]) ?? '')
  if (day === undefined) {
    prices.reportImpossibleDate(place, `${shown(row[layout.day])} is not a day of the calendar (YYYY-MM-DD)`)
    return
  }
  prices.on('TTF', day).state(price, place)
}
