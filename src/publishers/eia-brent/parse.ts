/**
 * Brent from EIA's API v2, `/v2/petroleum/pri/spt/data/`, daily. Traps: values are strings (numbers before 2024), null, absent or
 * empty where there is none; several series share the route; errors come in two shapes, before October 2025 also with HTTP 200; a
 * short page carries a warning that means nothing here. A trading day that is not listed is a holiday or not yet published.
 */
import { parseMarketDay } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import {
  asRecord,
  isRecord,
  type JsonRecord,
  readJson,
  readPrice,
  scalarText,
  shown,
} from '../reading/json-document.ts'
import { SERIES, UNITS } from './codes.ts'

/** Yields the price of each trading day, $/bbl. Fails with UnreadableDocument. */
export async function* parseEiaBrent(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  const rows = rowsOf(await readJson(text))
  let ours = 0
  for (const [index, value] of rows.entries()) {
    const place = `row ${index + 1}`
    const row = asRecord(value, place)
    if (row.series !== SERIES) continue
    ours += 1
    addRow(prices, row, place)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (rows.length === 0) throw new NothingPublished('document', `holds no row of the series ${SERIES}`)
  if (ours === 0) {
    const instead = shown(asRecord(rows[0], 'row 1').series)
    throw new UnreadableDocument('document', `holds no row of the series ${SERIES}; the first is of ${instead}`)
  }
}

function rowsOf(body: unknown): readonly unknown[] {
  if (isRecord(body) && 'error' in body) throw new UnreadableDocument('document', refusal(body))
  const response = isRecord(body) ? body.response : undefined
  if (isRecord(response) && Array.isArray(response.data)) return response.data
  throw new UnreadableDocument('document', 'has no list of rows at response.data')
}

/** `{"error": {"code": "API_KEY_MISSING", "message": …}}` or `{"error": "Invalid frequency …", "code": 400}` */
function refusal({ error, code }: JsonRecord): string {
  const reason = isRecord(error) ? `${error.code}: ${error.message}` : `${code}: ${error}`
  return `the publisher answers with an error (${reason.slice(0, 300)})`
}

/** Notes the price; a row that belongs to no day is reported. */
function addRow(prices: DailyPrices, row: JsonRecord, place: string): void {
  if (row.units !== UNITS) {
    throw new UnreadableDocument(place, `is in ${shown(row.units)}, not in ${UNITS}`)
  }
  const day = parseMarketDay(scalarText(row.period) ?? '')
  if (day === undefined) {
    prices.reportImpossibleDate(place, `${shown(row.period)} is not a day of the calendar (YYYY-MM-DD)`)
    return
  }
  const price = readPrice(row.value)
  if (price !== undefined) prices.on('Brent', day).state(price, place)
}
