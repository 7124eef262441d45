/** EEX's yearly workbook of primary auctions: newest first, table in column B below banner rows. */
import XLSX from '@e965/xlsx'
import { marketDayOf } from '../../../src/market/market-day.ts'
import { eachDay } from './gme-api.ts'
import type { Publisher, PublisherState } from './publisher-server.ts'

const FILE = /\/emission-spot-primary-market-auction-report-(\d{4})-data\.xlsx$/
const HEADER = ['Date', 'Time', 'Auction Name', 'Contract', 'Status', 'Auction Price €/tCO2', 'Auction Volume tCO2']
const SERIAL_ZERO = Temporal.PlainDate.from('1899-12-30')

export function eexEua(): Publisher {
  return ({ url }, stand) => {
    const year = FILE.exec(url.pathname)?.[1]
    const rows = year === undefined ? [] : auctionsOf(Number(year), stand)
    if (rows.length === 0) return { status: 404, type: 'text/html', body: '<h1>404</h1>' }
    const header = stand.fault === 'changed-columns' ? HEADER.with(6, 'Volume') : HEADER
    const table = [['EEX Primary Auction'], [], [], [], [], header, ...rows].map((row) => [null, ...row])
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(table), 'Primary Market Auction')
    return {
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      body: XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }),
    }
  }
}

/** Newest first; one auction is for another contract, one was cancelled. */
function auctionsOf(year: number, { truth, at, fault }: PublisherState): unknown[][] {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  const last = Temporal.PlainDate.from({ year, month: 12, day: 31 })
  const today = marketDayOf(at)
  const end = Temporal.PlainDate.compare(last, today) < 0 ? last : today
  const until = fault === 'previous-day' ? at.subtract({ hours: 96 }) : at
  const rows = [...eachDay(first, end)].flatMap((day) => {
    const price = truth.price('CO2', day, until)
    if (price === undefined) return []
    const serial = SERIAL_ZERO.until(day).days
    return [
      [serial, 0.46, 'EU', 'T3PA', 'successful', price, 2_000_000],
      [serial, 0.5, 'EU', 'EAA3', 'successful', price - 9, 300_000],
    ]
  })
  return rows.reverse()
}
