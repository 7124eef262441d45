/**
 * PSV from GME's JSON of gas sessions, as the XML's parser takes it: the weighted mean of product `MGP-<D>` in the session of D − 1.
 * Two spellings: the rows behind the public pages (`data`, `prodotto`, `prezzoRiferimento`, `volumiMWh`), and the API's
 * `GAS_ContinuousTrading` (`FlowDate`, `Product`, `AveragePrice`, `MWhVolumes`; described, no capture seen). Traps: every price may
 * be null, even beside a control price; strips of weekends and working days come in the same list; a list may be wrapped.
 */
import { parseMarketDay } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { parseCompactDay } from '../reading/compact-day.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { isRecord, type JsonRecord, readJson, readPrice, scalarText, shown } from '../reading/json-document.ts'
import { DAY_PRODUCT, JSON_SPELLINGS, type JsonSpelling, WITHIN_DAY } from './codes.ts'

/** How deep lists are looked for: `{"sessions": [{"rows": […]}]}`. */
const DEPTH_MAX = 4

/** Yields the PSV of each gas day traded day-ahead, €/MWh; nothing where nothing was traded. Fails with UnreadableDocument. */
export async function* parseGasSessions(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  let rows = 0
  for (const row of rowsIn(await readJson(text), 0)) {
    rows += 1
    addRow(prices, row, `row ${rows}`)
    yield* prices.takeOverdue()
  }
  yield* prices.takeAll()
  if (rows === 0) throw new NothingPublished('document', 'holds no row of a session')
}

/** The rows of the document, in lists at any depth. */
function* rowsIn(value: unknown, depth: number): Generator<JsonRecord, void, undefined> {
  if (depth > DEPTH_MAX) return
  if (Array.isArray(value)) {
    for (const item of value) yield* rowsIn(item, depth + 1)
  } else if (isRecord(value)) {
    if (JSON_SPELLINGS.some(({ product }) => product in value)) yield value
    else for (const inner of Object.values(value)) if (typeof inner === 'object') yield* rowsIn(inner, depth + 1)
  }
}

/** Records the price where the row is of the day before delivery; a row without a day is reported. */
function addRow(prices: DailyPrices, row: JsonRecord, place: string): void {
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
  if (price !== undefined) prices.on('PSV', gasDay).state(price, place)
  else if (typeof volume === 'number' && volume > 0) {
    const detail = `was traded (${spelling.volume} ${volume}) but has no price`
    prices.on('PSV', gasDay).report({ code: 'not_a_number', place, detail })
  }
}

/** Refuses rows without the fields that are read, and those of the within-day market, whose products are called alike. */
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
