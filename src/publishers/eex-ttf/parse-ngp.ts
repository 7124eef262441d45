/**
 * TTF from EEX's neutral gas price (NGP), `TTF_NGP_15_Mins.csv` and `TTF_NGP_60_Days.csv`: a row per gas day, volume-weighted index.
 * Only rows marked `Final` count. A `Temporary` value moves until its gas day is over, so it is skipped: taking it would raise
 * alerts on, and revise, a price that is not final. Traps: `0.000` with volume 0 means not known, so does `NoIndex`; some
 * editions have a byte-order mark, are in Windows-1252, or write a decimal comma; dates are `dd/mm/yyyy`.
 */
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { type CsvRow, csvRows } from '../reading/csv-rows.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import { DecimalReader } from '../reading/decimal-reader.ts'
import { FINAL, NGP_COLUMNS, NGP_UNIT, NO_INDEX, TEMPORARY } from './codes.ts'

/** Index of each column. */
type NgpLayout = Record<keyof typeof NGP_COLUMNS, number>

/** Reads the first line. Fails with UnreadableDocument where a column is missing or the price has another unit. */
export function readNgpHeader(line: string): NgpLayout {
  const names = line.split(';').map((name) => name.trim())
  const indexOf = (wanted: string): number => {
    const index = names.findIndex((name) => name.replace(/\s*\(.*$/, '').toLowerCase() === wanted)
    if (index >= 0) return index
    throw new UnreadableDocument('header', `has no column ${wanted}; its columns are: ${names.slice(0, 12).join(', ')}`)
  }
  const { day, price, volume, status } = NGP_COLUMNS
  const layout = { day: indexOf(day), price: indexOf(price), volume: indexOf(volume), status: indexOf(status) }
  if (!NGP_UNIT.test(names[layout.price] ?? '')) {
    throw new UnreadableDocument('header', `the prices are not in €/MWh: "${names[layout.price]}"`)
  }
  return layout
}

/** Yields the final price of each gas day, €/MWh. Fails with UnreadableDocument. */
export async function* parseNgp(text: AsyncIterable<string>, layout: NgpLayout): Items {
  const prices = new DailyPrices()
  const decimals = new DecimalReader(';')
  yield* prices.itemsFrom(csvRows(text, ';'), (rows) => {
    for (const row of rows) addRow(prices, row, layout, decimals)
  })
}

/** Notes the price where it is final; a row that belongs to no day is reported. */
function addRow(prices: DailyPrices, { record, info }: CsvRow, layout: NgpLayout, decimals: DecimalReader): void {
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
  if (typeof price !== 'number') prices.on('TTF', day).report({ place, ...price })
  else if (price !== 0 || decimals.read(cell('volume')) !== 0) prices.on('TTF', day).put(price, place)
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
