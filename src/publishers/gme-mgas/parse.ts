/**
 * PSV from GME's XML of a gas session, `YYYYMMDDMGPGASSintesiScambio.xml`: the price of gas day D is `PrezzoMedio` (volume-weighted
 * mean of continuous trading) of product `MGP-<D>` in the session of D − 1. Why this field: it is the market's own day-ahead value,
 * GME's yearly workbooks carry it as the weighted mean, and it agrees with them; `PrezzoControllo` is a control price that exists
 * without a trade. Traps: the name's day is the session's, not the gas day; a decimal point here but a comma in the power files;
 * D is also traded on D − 2 and D − 3, which is not day-ahead; price tags are absent if nothing was traded.
 */
import { parseCompactDay, parseMarketDay } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import { PRODUCT_ROW, type Row, readRows } from '../gme/gme.ts'
import type { Items } from '../observations.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import { isRecord, type JsonRecord, readJson, readPrice, scalarText, shown } from '../reading/json-document.ts'
import type { Sheet, SheetRow } from '../reading/workbook.ts'

/** A day-ahead product with its delivery day: `MGP-2026-01-15`. Does not match weekends (`WE-…`), working days (`WD-…`), within-day (`MI-…`). */
const DAY_PRODUCT = /^MGP-(\d{4}-\d{2}-\d{2})$/

const SESSION_TAG = 'DataSessione'
const PRODUCT_TAG = 'NomeProdotto'

/** Volume-weighted mean of the session's trades, €/MWh; absent if nothing was traded. */
const PRICE_TAG = 'PrezzoMedio'

/** Traded volume, MWh; absent without trades. */
const VOLUME_TAG = 'Volumi'

/** Names of a row's fields in JSON. */
interface JsonSpelling {
  session: string
  product: string
  /** Weighted mean of the session's trades, €/MWh. */
  price: string
  /** MWh. */
  volume: string
}

const JSON_SPELLINGS: readonly JsonSpelling[] = [
  { session: 'data', product: 'prodotto', price: 'prezzoRiferimento', volume: 'volumiMWh' },
  { session: 'FlowDate', product: 'Product', price: 'AveragePrice', volume: 'MWhVolumes' },
]

/** Values of `Market` that are not the day-ahead one. */
const WITHIN_DAY = /^M[IT]/i

/** The sheet of the yearly workbook that holds the PSV, and its header. */
const YEAR_SHEET = /^MGP-GAS\s*-\s*Negoziazione continua$/i
const YEAR_DAY = /^giorno gas/i
const YEAR_PRICE = /^prezzo medio ponderato/i
const YEAR_UNIT = '€/MWh'

/** Yields the PSV of each gas day traded day-ahead, €/MWh; nothing if nothing was traded. Fails with UnreadableDocument. */
export async function* parseGmeGas(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  let dayProducts = 0
  yield* prices.itemsFrom(readRows(text), (row) => {
    const gasDayText = DAY_PRODUCT.exec(productOf(row))?.[1]
    if (gasDayText === undefined) return
    dayProducts += 1
    addXmlRow(prices, row, gasDayText)
  })
  if (dayProducts === 0) {
    throw new NothingPublished('document', 'holds no day-ahead product of gas: there is no MGP-<day> in it')
  }
}

/** Refuses rows of GME's other files. */
function productOf(row: Row): string {
  if (row.name !== PRODUCT_ROW) {
    throw new UnreadableDocument(placeOf(row), `holds rows <${row.name}> where <${PRODUCT_ROW}> belongs: not imported`)
  }
  const product = row.cells.get(PRODUCT_TAG)
  if (product === undefined)
    throw new UnreadableDocument(placeOf(row), `has a row of gas trading without <${PRODUCT_TAG}>`)
  return product
}

/** Records the price if the session is on the day before delivery; reports a row without a valid day. */
function addXmlRow(prices: DailyPrices, row: Row, gasDayText: string): void {
  const sessionText = row.cells.get(SESSION_TAG) ?? ''
  const session = parseCompactDay(sessionText)
  const gasDay = parseMarketDay(gasDayText)
  if (session === undefined || gasDay === undefined) {
    const wrong = JSON.stringify(session === undefined ? sessionText : gasDayText)
    prices.reportImpossibleDate(placeOf(row), `${wrong} is not a day of the calendar`)
    return
  }
  if (!session.add({ days: 1 }).equals(gasDay)) return
  const text = row.cells.get(PRICE_TAG)
  const place = `${placeOf(row)}, ${PRICE_TAG}`
  if (text !== undefined) {
    const price = readDecimal(text, '.')
    if (typeof price === 'number') prices.forDay('PSV', gasDay).put(price, place)
    else prices.forDay('PSV', gasDay).report({ code: price, place, detail: describePriceFault(price, text, '.') })
  } else if (row.cells.has(VOLUME_TAG)) {
    const detail = `was traded (${VOLUME_TAG} ${row.cells.get(VOLUME_TAG)}) but has no price`
    prices.forDay('PSV', gasDay).report({ code: 'not_a_number', place, detail })
  }
}

function placeOf(row: Row): string {
  return `${row.name}, line ${row.line}`
}

// PSV from GME's JSON of gas sessions, defined as in the XML: the weighted mean of product `MGP-<D>` in the session of D − 1. Two
// spellings: the rows behind the public pages (`data`, `prodotto`, `prezzoRiferimento`, `volumiMWh`), and the API's
// `GAS_ContinuousTrading` (`FlowDate`, `Product`, `AveragePrice`, `MWhVolumes`; from descriptions, not a captured response). Traps: any
// price may be null, even next to a control price; weekend and working-day strips are in the same list; a list may be nested.

/** Maximum depth at which lists are found: `{"sessions": [{"rows": […]}]}`. */
const DEPTH_MAX = 4

/** Yields the PSV of each gas day traded day-ahead, €/MWh; nothing if nothing was traded. Fails with UnreadableDocument. */
export async function* parseGasSessions(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  let rows = 0
  for (const row of rowsIn(await readJson(text), 0)) {
    rows += 1
    addJsonRow(prices, row, `row ${rows}`)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (rows === 0) throw new NothingPublished('document', 'holds no row of a session')
}

/** Yields the rows of the document, from lists down to `DEPTH_MAX`. */
function* rowsIn(value: unknown, depth: number): Generator<JsonRecord, void, undefined> {
  if (depth > DEPTH_MAX) return
  if (Array.isArray(value)) {
    for (const item of value) yield* rowsIn(item, depth + 1)
  } else if (isRecord(value)) {
    if (JSON_SPELLINGS.some(({ product }) => product in value)) yield value
    else for (const inner of Object.values(value)) if (typeof inner === 'object') yield* rowsIn(inner, depth + 1)
  }
}

/** Records the price if the session is on the day before delivery; reports a row without a valid day. */
function addJsonRow(prices: DailyPrices, row: JsonRecord, place: string): void {
  const spelling = spellingOf(row, place)
  const gasDayText = DAY_PRODUCT.exec(scalarText(row[spelling.product]) ?? '')?.[1]
  if (gasDayText === undefined) return
  const session = parseCompactDay(scalarText(row[spelling.session]) ?? '')
  const gasDay = parseMarketDay(gasDayText)
  if (session === undefined || gasDay === undefined) {
    const wrong = shown(session === undefined ? row[spelling.session] : gasDayText)
    prices.reportImpossibleDate(place, `${wrong} is not a day of the calendar`)
    return
  }
  if (!session.add({ days: 1 }).equals(gasDay)) return
  const price = readPrice(row[spelling.price])
  const volume = readPrice(row[spelling.volume])
  if (price !== undefined) prices.forDay('PSV', gasDay).putOrReport(price, place)
  else if (typeof volume === 'number' && volume > 0) {
    const detail = `was traded (${spelling.volume} ${volume}) but has no price`
    prices.forDay('PSV', gasDay).report({ code: 'not_a_number', place, detail })
  }
}

/** Refuses rows that lack a required field, and rows of the within-day market, which has products of the same names. */
function spellingOf(row: JsonRecord, place: string): JsonSpelling {
  const spelling = JSON_SPELLINGS.find(({ product, session, price }) =>
    [product, session, price].every((name) => name in row),
  )
  if (spelling === undefined) {
    throw new UnreadableDocument(
      place,
      `lacks a day, a product or a price: its fields are ${Object.keys(row).join(', ')}`,
    )
  }
  if (WITHIN_DAY.test(scalarText(row.Market) ?? '')) {
    throw new UnreadableDocument(place, `is of the market ${shown(row.Market)}, not of MGP-GAS: not imported`)
  }
  return spelling
}

// PSV of a gas year from GME's workbook `Annotermico_YYYY-YYYY_MM.xlsx`: the sheet of continuous day-ahead trading, gas day and
// weighted mean. Traps: several sheets look alike (within-day, storage, auctions); the header has six rows, with the unit in the last;
// days are integers; future days and days without a trade have no price. Prices have three decimals here, six elsewhere.

interface GasYear {
  day: number
  price: number
  /** Rows below the header. */
  rows: readonly SheetRow[]
}

/** Returns the table in the workbook; undefined if it has no such sheet. Throws UnreadableDocument if the sheet has changed. */
export function findGasYear(sheets: readonly Sheet[]): GasYear | undefined {
  const sheet = sheets.find(({ name }) => YEAR_SHEET.test(name.trim()))
  if (sheet === undefined) return undefined
  const day = columnOf(sheet, YEAR_DAY)
  const price = columnOf(sheet, YEAR_PRICE)
  const units = sheet.rows.findIndex(({ cells }) => cells.get(price) === YEAR_UNIT)
  if (units < 0) throw new UnreadableDocument(sheet.name, `does not say that its prices are in ${YEAR_UNIT}`)
  return { day, price, rows: sheet.rows.slice(units + 1) }
}

/** Yields the PSV of each gas day with a price, €/MWh. */
export async function* parseGasYear({ day, price, rows }: GasYear): Items {
  const prices = new DailyPrices()
  for (const { number, cells } of rows) {
    const value = cells.get(price)
    if (value === undefined || value === '') continue
    const place = `row ${number}`
    const gasDay = parseCompactDay(String(cells.get(day) ?? ''))
    if (gasDay === undefined) {
      const detail = `${JSON.stringify(cells.get(day) ?? '')} is not a day of the calendar (YYYYMMDD)`
      prices.reportImpossibleDate(place, detail)
    } else if (typeof value === 'number') prices.forDay('PSV', gasDay).put(value, place)
    else
      prices
        .forDay('PSV', gasDay)
        .report({ code: 'not_a_number', place, detail: `${JSON.stringify(value)} is no price` })
  }
  yield* prices.takeOverdue()
  const all = prices.takeAll()
  yield* all
  if (all.length === 0) throw new NothingPublished('workbook', 'holds no price of a gas day')
}

/** Returns the column that has such a heading anywhere in the sheet. */
function columnOf({ name, rows }: Sheet, heading: RegExp): number {
  for (const { cells } of rows) {
    const found = [...cells].find(([, cell]) => typeof cell === 'string' && heading.test(cell.trim()))
    if (found) return found[0]
  }
  throw new UnreadableDocument(name, `has no column ${heading.source.replace('^', '')}`)
}
