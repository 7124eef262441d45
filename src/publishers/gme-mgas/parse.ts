/**
 * PSV from GME's XML of a gas session, `YYYYMMDDMGPGASSintesiScambio.xml`: the price of gas day D is `PrezzoMedio` (volume-weighted
 * mean of continuous trading) of product `MGP-<D>` in the session of D − 1. Why this field: it is the market's own day-ahead value,
 * GME's yearly workbooks carry it as the weighted mean, and it agrees with them; `PrezzoControllo` is a control price that exists
 * without a trade. Traps: the name's day is the session's, not the gas day; a decimal point here but a comma in the power files;
 * D is also traded on D − 2 and D − 3, which is not day-ahead; price tags are absent where nothing was traded.
 */
import { parseMarketDay } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import { type Row, readRows } from '../gme/xml-rows.ts'
import type { Items } from '../observations.ts'
import { parseCompactDay } from '../reading/compact-day.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import { DAY_PRODUCT, PRICE_TAG, PRODUCT_ROW, PRODUCT_TAG, SESSION_TAG, VOLUME_TAG } from './codes.ts'

/** Yields the PSV of each gas day traded day-ahead, €/MWh; nothing where nothing was traded. Fails with UnreadableDocument. */
export async function* parseGmeGas(text: AsyncIterable<string>): Items {
  const prices = new DailyPrices()
  let dayProducts = 0
  yield* prices.itemsFrom(readRows(text), (row) => {
    const gasDayText = DAY_PRODUCT.exec(productOf(row))?.[1]
    if (gasDayText === undefined) return
    dayProducts += 1
    addRow(prices, row, gasDayText)
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

/** Records the price where the row is of the day before delivery; a row without a day is reported. */
function addRow(prices: DailyPrices, row: Row, gasDayText: string): void {
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
    if (typeof price === 'number') prices.on('PSV', gasDay).put(price, place)
    else prices.on('PSV', gasDay).report({ code: price, place, detail: describePriceFault(price, text, '.') })
  } else if (row.cells.has(VOLUME_TAG)) {
    const detail = `was traded (${VOLUME_TAG} ${row.cells.get(VOLUME_TAG)}) but has no price`
    prices.on('PSV', gasDay).report({ code: 'not_a_number', place, detail })
  }
}

function placeOf(row: Row): string {
  return `${row.name}, line ${row.line}`
}
