/**
 * CO2 from EEX's report of primary auctions, `emission-spot-primary-market-auction-report-YYYY-data.xlsx` (`.xls` to 2019). Traps:
 * the header is in row 3 or 6 and, from 2020, begins in column B, so it is found by its "Auction Price" and read by name; newest
 * first; several contracts and several auctions a day (their mean weighted by volume is the day's price); a cancelled auction has a
 * row without a price; from 2020 a status says so.
 */

import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { dayOfSerial, type Sheet, type SheetRow } from '../reading/workbook.ts'
import { CANCELLED, COLUMNS, CONTRACT, HEADER_MARK, STATUS_COLUMN } from './codes.ts'

interface AuctionReport {
  columns: Record<keyof typeof COLUMNS, number> & { status: number | undefined }
  /** Behind the header. */
  rows: readonly SheetRow[]
}

/** The table of auctions in the workbook; undefined where none of its sheets has one. Fails with UnreadableDocument on a changed one. */
export function findAuctionReport(sheets: readonly Sheet[]): AuctionReport | undefined {
  for (const { rows } of sheets) {
    const at = rows.findIndex(({ cells }) => [...cells.values()].some((cell) => plain(cell).startsWith(HEADER_MARK)))
    const header = rows[at]
    if (header !== undefined) return { columns: readColumns(header), rows: rows.slice(at + 1) }
  }
  return undefined
}

/** Yields the price of each day with an auction, €/tCO2. Fails with UnreadableDocument where there is none at all. */
export async function* parseEexEua({ columns, rows }: AuctionReport): Items {
  const prices = new DailyPrices()
  const auctions = rows.filter(({ cells }) => cells.get(columns.contract) === CONTRACT)
  for (const auction of auctions) {
    addAuction(prices, auction, columns)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (auctions.length === 0) throw new UnreadableDocument('report', `holds no auction of the contract ${CONTRACT}`)
}

function readColumns(header: SheetRow): AuctionReport['columns'] {
  const names = [...header.cells].map(([column, cell]) => ({ column, name: plain(cell) }))
  const find = (wanted: string) => names.find(({ name }) => name === wanted)?.column
  const need = (wanted: string): number => {
    const column = find(wanted)
    if (column !== undefined) return column
    const shown = names.slice(0, 12).map(({ name }) => name)
    throw new UnreadableDocument(`row ${header.number}`, `has no column ${wanted}; it has ${shown.join(', ')}`)
  }
  const { date, contract, price, volume } = COLUMNS
  return {
    date: need(date),
    contract: need(contract),
    price: need(price),
    volume: need(volume),
    status: find(STATUS_COLUMN),
  }
}

/** Notes price and volume; a row that belongs to no day is reported. */
function addAuction(prices: DailyPrices, { number, cells }: SheetRow, columns: AuctionReport['columns']): void {
  const place = `row ${number}`
  const status = columns.status === undefined ? undefined : plain(cells.get(columns.status))
  const price = cells.get(columns.price)
  if (CANCELLED.test(status ?? '') || (price === undefined && status === undefined)) return

  const date = cells.get(columns.date)
  const day = typeof date === 'number' ? dayOfSerial(date) : undefined
  if (day === undefined) {
    prices.reportImpossibleDate(place, `${JSON.stringify(date ?? '')} is no date`)
    return
  }
  const volume = cells.get(columns.volume)
  if (typeof price === 'number' && typeof volume === 'number' && volume > 0) {
    prices.on('CO2', day).putAuction(price, volume)
  } else {
    const detail = `price and volume of the auction are ${JSON.stringify([price ?? null, volume ?? null])}`
    prices.on('CO2', day).report({ code: 'not_a_number', place, detail })
  }
}

/** The text of a header or a status in lower case, without line breaks and doubled spaces. */
function plain(cell: string | number | undefined): string {
  return String(cell ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
