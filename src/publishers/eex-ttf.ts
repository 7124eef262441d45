/**
 * The TTF from EEX, in two public forms: the day-ahead settlement, or the neutral gas price (`EEX_TTF_FORM=ngp`). Neither has a long
 * history: older prices are available only if they were fetched in time.
 */
import { z } from 'zod'
import { USUAL_PUBLICATION } from '../market/forecast-scope.ts'
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import { isTradingDay } from '../market/trading-days.ts'
import { textDocument } from './documents.ts'
import { NothingPublished, UnreadableDocument } from './faults.ts'
import { getDocument, joinUrl } from './fetch-days.ts'
import type { Items } from './observations.ts'
import { assetInFileName } from './price-csv/columns.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { type CsvRow, csvRows } from './reading/csv-rows.ts'
import { DailyPrices } from './reading/daily-prices.ts'
import { DecimalReader } from './reading/decimals.ts'
import { isRecord, readJson, readPrice, scalarText, shown } from './reading/json-document.ts'
import type { CommonSettings } from './settings.ts'

/** Columns of the neutral gas price's CSV, without the unit after them. */
const NGP_COLUMNS = { day: 'gasday', price: 'indexvalue', volume: 'indexvolume', status: 'status' } as const

/** How the CSV begins, regardless of its encoding. */
const NGP_BEGINNING = 'Gasday;'

/** The unit after `IndexValue`, without the euro sign, which some editions garble. */
const NGP_UNIT = /\(\D*\/MWh\)$/i

/** `Final NGP`: the gas day is over and its price fixed. */
const FINAL = /^final\b/i
/** `Temporary NGP`: computed while the gas day is traded; replaced by the final one. */
const TEMPORARY = /^temporary\b/i
/** Text that a document has in place of a price. */
const NO_INDEX = /^no\s*index$/i

/** Columns of a table of settlements. */
const TABLE_COLUMNS = { day: 'deliveryDay', price: 'settlPx', currency: 'currency', unit: 'uOM' } as const
const CURRENCY = 'EUR'
const UNIT = 'MWh'

export const eexTtf = publisher({
  id: 'eex-ttf',
  name: 'European Energy Exchange AG (EEX)',
  url: 'https://www.eex.com',
  terms: 'No open licence: shown for information only, not to be redistributed without the consent of EEX.',
  redistributable: false,
  priority: 10,
  delivers: 'TTF day-ahead settlement',
  assets: ['TTF'],
  publishes: USUAL_PUBLICATION.TTF, // settlement of the last trading day before delivery
  lateAt: { days: -1, time: '22:00' },
  publishesOn: isTradingDay,
  // Deliveries after a weekend or a holiday are separate products.
  expects: (day) => isTradingDay(day) && isTradingDay(day.subtract({ days: 1 })),
  fetching: {
    readFrom:
      'the public table, or (`EEX_TTF_FORM=ngp`) the neutral gas price; neither reaches back more than some weeks',
    pausesMinutes: [10, 20, 30, 60],
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 2_000, requestsPerDay: 200 }, // 60 requests a minute are allowed
    variables: {
      EEX_TTF_FORM: z
        .enum(['table', 'ngp'])
        .default('table')
        .describe('`table` of settlements, or `ngp`: the neutral gas price'),
    },
    connect: connectEexTtf,
  },
  documents: [
    textDocument({
      kind: 'eex-ngp-csv',
      about: 'CSV of the TTF neutral gas price, final values only',
      windows1252: NGP_BEGINNING, // for the euro sign in some editions; everything else is ASCII
      recognise: ({ firstLine = '' }) => firstLine.startsWith(NGP_BEGINNING) && readNgpHeader(firstLine),
      parse: parseNgp,
    }),
    textDocument({
      kind: 'eex-table-json',
      about: "JSON tables of day-ahead settlements, with `--asset ttf` or `ttf` in the file's name",
      recognise({ json = '', fileName, hints: { asset } }) {
        if (!/"header"\s*:\s*\[/.test(json)) return false
        if ((asset ?? assetInFileName(fileName)?.toLowerCase()) === 'ttf') return true
        const detail = 'does not say which market its settlements are for: pass --asset ttf'
        throw new UnreadableDocument('document', detail)
      },
      parse: parseSettlementTable,
    }),
  ],
})

const TABLE_URL = 'https://api.eex-group.com'
const NGP_URL = 'https://gasandregistry.eex.com'
const WINDOW_DAYS = 40
const NGP_WINDOW_DAYS = 60
/** Maximum days from trading to delivery: a weekend with holidays on either side. */
const TRADED_BEFORE_DAYS = 5

function connectEexTtf({
  ADDRESS,
  EEX_TTF_FORM: form,
}: CommonSettings & { EEX_TTF_FORM: 'table' | 'ngp' }): FetchMethod {
  return form === 'ngp'
    ? connectNeutralGasPrice(ADDRESS ?? new URL(NGP_URL))
    : connectSettlements(ADDRESS ?? new URL(TABLE_URL))
}

/** Final once its gas day is over, at 06:00, and listed in the early afternoon. */
function connectNeutralGasPrice(base: URL): FetchMethod {
  return {
    way: 'neutral gas price',
    maxDaysPerRequest: NGP_WINDOW_DAYS,
    windowDays: NGP_WINDOW_DAYS,
    askFrom: { days: 1, time: '14:00' },
    lateAt: { days: 1, time: '20:00' },
    expects: () => true,
    async *fetch({ from }, io) {
      // The short file has yesterday and today, the long one the days before.
      const isRecent = from.until(io.clock.now().toZonedDateTimeISO('UTC').toPlainDate()).days <= 1
      const name = isRecent ? 'TTF_NGP_15_Mins.csv' : 'TTF_NGP_60_Days.csv'
      const url = joinUrl(base, `/Gas/NGP/${name}`)
      const prices = await getDocument(url, { name }, io)
      if (prices) yield prices
    },
  }
}

function connectSettlements(base: URL): FetchMethod {
  return {
    way: 'table of settlements',
    maxDaysPerRequest: WINDOW_DAYS,
    windowDays: WINDOW_DAYS - TRADED_BEFORE_DAYS,
    async *fetch(days, io) {
      const url = joinUrl(base, '/pub/market-data/table-data', {
        shortCode: 'TTFDA',
        commodity: 'NATGAS',
        pricing: 'S',
        area: 'TTF',
        product: 'DA',
        isRolling: 'true',
        startDate: days.from.subtract({ days: TRADED_BEFORE_DAYS }).toString(),
        endDate: days.to.toString(),
      })
      const table = await getDocument(url, { name: `ttf_${days.from}_${days.to}.json` }, io)
      if (table) yield table
    },
  }
}

// TTF from EEX's neutral gas price (NGP), `TTF_NGP_15_Mins.csv` and `TTF_NGP_60_Days.csv`: a row per gas day, volume-weighted index.
// Only rows marked `Final` are read. A `Temporary` value changes until its gas day is over: storing it would trigger alerts on a price
// that is not final, and revisions. Traps: `0.000` with volume 0 means "not known", as does `NoIndex`; some editions have a byte-order
// mark, are in Windows-1252, or use a decimal comma; dates are `dd/mm/yyyy`.

/** Index of each column. */
type NgpLayout = Record<keyof typeof NGP_COLUMNS, number>

/** Reads the first line. Throws UnreadableDocument if a column is missing or the price has another unit. */
function readNgpHeader(line: string): NgpLayout {
  const names = line.split(';').map((name) => name.trim())
  const indexOf = (title: string): number => {
    const index = names.findIndex((name) => name.replace(/\s*\(.*$/, '').toLowerCase() === title)
    if (index >= 0) return index
    throw new UnreadableDocument('header', `has no column ${title}; its columns are: ${names.slice(0, 12).join(', ')}`)
  }
  const { day, price, volume, status } = NGP_COLUMNS
  const layout = { day: indexOf(day), price: indexOf(price), volume: indexOf(volume), status: indexOf(status) }
  if (!NGP_UNIT.test(names[layout.price] ?? '')) {
    throw new UnreadableDocument('header', `the prices are not in €/MWh: "${names[layout.price]}"`)
  }
  return layout
}

/** Yields the final price of each gas day, €/MWh. Fails with UnreadableDocument. */
async function* parseNgp(text: AsyncIterable<string>, layout: NgpLayout): Items {
  const prices = new DailyPrices()
  const decimals = new DecimalReader(';')
  yield* prices.itemsFrom(csvRows(text, ';'), (rows) => {
    for (const row of rows) addNgpRow(prices, row, layout, decimals)
  })
}

/** Records the price if it is final; reports a row without a valid day. */
function addNgpRow(prices: DailyPrices, { record, info }: CsvRow, layout: NgpLayout, decimals: DecimalReader): void {
  const cell = (column: keyof NgpLayout): string => (record[layout[column]] ?? '').trim()
  const place = `line ${info.lines}`
  if (!isFinal(cell('status'), place)) return
  if (cell('price') === '' || NO_INDEX.test(cell('price'))) return
  const day = parseDay(cell('day'))
  if (day === undefined) {
    prices.reportImpossibleDate(place, `${JSON.stringify(cell('day'))} is not a day (dd/mm/yyyy)`)
    return
  }
  const price = decimals.read(cell('price'))
  if (typeof price !== 'number') prices.forDay('TTF', day).report({ place, ...price })
  else if (price !== 0 || decimals.read(cell('volume')) !== 0) prices.forDay('TTF', day).put(price, place)
}

function isFinal(status: string, place: string): boolean {
  if (FINAL.test(status)) return true
  if (TEMPORARY.test(status) || NO_INDEX.test(status)) return false
  throw new UnreadableDocument(place, `has the status ${JSON.stringify(status)}, neither final nor temporary`)
}

function parseDay(text: string): MarketDay | undefined {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  return parseMarketDay(`${year}-${month}-${day}`)
}

// TTF day-ahead settlements from the tables of EEX's market data, `{"header": [names], "data": [[cells]]}`. Traps: columns and their
// order differ by product, so they are read by name; the table does not name its market, so the caller must; days without trading are
// missing or have empty cells; settlements are corrected later. The day is the delivery day: a table without it is of futures or an
// index, not of the day-ahead product, and is refused.

interface TableLayout {
  day: number
  price: number
  currency: number
  unit: number
}

/** Yields the settlement of each delivery day, €/MWh. Fails with UnreadableDocument. */
async function* parseSettlementTable(text: AsyncIterable<string>): Items {
  const { header, data } = tableOf(await readJson(text))
  const layout = readTableLayout(header)
  const prices = new DailyPrices()
  for (const [index, row] of data.entries()) {
    const place = `row ${index + 1}`
    if (!Array.isArray(row) || row.length !== header.length) {
      throw new UnreadableDocument(place, `does not have the ${header.length} cells that the header names`)
    }
    addTableRow(prices, row, layout, place)
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

function readTableLayout(header: readonly unknown[]): TableLayout {
  const indexOf = (name: string): number => {
    const index = header.indexOf(name)
    if (index >= 0) return index
    throw new UnreadableDocument('header', `has no column ${name}; its columns are: ${header.slice(0, 12).join(', ')}`)
  }
  const { day, price, currency, unit } = TABLE_COLUMNS
  return { day: indexOf(day), price: indexOf(price), currency: indexOf(currency), unit: indexOf(unit) }
}

/** Records the price; reports a row without a valid day. */
function addTableRow(prices: DailyPrices, row: readonly unknown[], layout: TableLayout, place: string): void {
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
  prices.forDay('TTF', day).putOrReport(price, place)
}
