/**
 * CO2 from EEX's reports of primary auctions of EU emission allowances; T3PA is the contract of power and industry. One workbook per year,
 * updated as auctions are held: `emission-spot-primary-market-auction-report-YYYY-data.xlsx` (`.xls` to 2019).
 *
 * Traps: the header is in row 3 or 6 and, from 2020, starts in column B, so it is located by "Auction Price" and read by name; rows are
 * newest first; there are several contracts, and several auctions a day (the day's price is their volume-weighted mean); a cancelled
 * auction has a row without a price and, from 2020, a status.
 */
import { isAuctionDay } from '../market/trading-days.ts'
import { NotYetPublished } from '../platform/fetch/outcomes.ts'
import { workbookDocument } from './documents.ts'
import { UnreadableDocument } from './faults.ts'
import { getDocument, joinUrl } from './fetch-days.ts'
import type { Items } from './observations.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { DailyPrices } from './reading/daily-prices.ts'
import { dayOfSerial, type Sheet, type SheetRow } from './reading/workbook.ts'
import type { CommonSettings } from './settings.ts'

/** The auctioned product used as the price of CO2: general allowances since 2013. T2PA, EAA2, EAA3 (aviation) are not used. */
const CONTRACT = 'T3PA'

/** Headers in lower case, without the line breaks that some years have in them. */
const COLUMNS = {
  date: 'date',
  contract: 'contract',
  price: 'auction price €/tco2',
  volume: 'auction volume tco2',
} as const
/** A column of reports from 2020 on. */
const STATUS_COLUMN = 'status'

/** Identifies the header row, regardless of the rows above it. */
const HEADER_MARK = 'auction price'

const CANCELLED = /^cancel/i

export const eexEua = publisher({
  id: 'eex-eua',
  name: 'European Energy Exchange AG (EEX)',
  url: 'https://www.eex.com',
  terms: 'Auction reports are public but carry no open licence: shown for information only.',
  redistributable: false,
  priority: 10,
  delivers: 'CO2, primary auctions',
  assets: ['CO2'],
  publishes: { days: 0, time: '11:15' }, // the auction closes at 11:00 and its report follows
  lateAt: { days: 0, time: '18:00' },
  publishesOn: isAuctionDay,
  fetching: {
    readFrom: 'the yearly workbook',
    pausesMinutes: [15, 30, 60],
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 5_000, requestsPerDay: 100 },
    connect: connectEexEua,
  },
  documents: [
    workbookDocument({
      kind: 'eex-eua-workbook',
      about: "workbooks of the primary auctions, XLSX and XLS: contract T3PA, a day's auctions weighted by volume",
      recognise: findAuctionReport,
      parse: parseEexEua,
    }),
  ],
})

const SITE_URL = 'https://public.eex-group.com'
const FOLDER = '/eex/eua-auction-report/'
const FIRST_XLSX_YEAR = 2020
const NOT_FOUND = 404

function connectEexEua({ ADDRESS: base = new URL(SITE_URL) }: CommonSettings): FetchMethod {
  return {
    way: 'yearly workbook',
    maxDaysPerRequest: 366,
    async *fetch({ from, to }, io) {
      for (let year = from.year; year <= to.year; year++) {
        const name = nameOf(year)
        const url = joinUrl(base, `${FOLDER}${name}`)
        const report = await getDocument(url, { name }, io, { meaningOf })
        if (report) yield report
      }
    },
  }
}

/** The first auctions of a year take place in its second week. */
function meaningOf(status: number): Error | undefined {
  return status === NOT_FOUND ? new NotYetPublished('there is no report of that year yet') : undefined
}

function nameOf(year: number): string {
  const extension = year < FIRST_XLSX_YEAR ? 'xls' : 'xlsx'
  return `emission-spot-primary-market-auction-report-${year}-data.${extension}`
}

interface AuctionReport {
  columns: Record<keyof typeof COLUMNS, number> & { status: number | undefined }
  /** Rows below the header. */
  rows: readonly SheetRow[]
}

/** Returns the table of auctions; undefined if no sheet has one. Throws UnreadableDocument if its columns have changed. */
function findAuctionReport(sheets: readonly Sheet[]): AuctionReport | undefined {
  for (const { rows } of sheets) {
    const at = rows.findIndex(({ cells }) => [...cells.values()].some((cell) => plain(cell).startsWith(HEADER_MARK)))
    const header = rows[at]
    if (header !== undefined) return { columns: readColumns(header), rows: rows.slice(at + 1) }
  }
  return undefined
}

/** Yields the price of each day with an auction, €/tCO2. Fails with UnreadableDocument if there is none. */
async function* parseEexEua({ columns, rows }: AuctionReport): Items {
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
  const find = (title: string) => names.find(({ name }) => name === title)?.column
  const need = (title: string): number => {
    const column = find(title)
    if (column !== undefined) return column
    const shown = names.slice(0, 12).map(({ name }) => name)
    throw new UnreadableDocument(`row ${header.number}`, `has no column ${title}; it has ${shown.join(', ')}`)
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

/** Records price and volume; reports a row without a valid day. */
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
    prices.forDay('CO2', day).putAuction(price, volume)
  } else {
    const detail = `price and volume of the auction are ${JSON.stringify([price ?? null, volume ?? null])}`
    prices.forDay('CO2', day).report({ code: 'not_a_number', place, detail })
  }
}

/** Returns the text of a header or status in lower case, with whitespace collapsed. */
function plain(cell: string | number | undefined): string {
  return String(cell ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
