/**
 * PSV of a gas year from GME's workbook `Annotermico_YYYY-YYYY_MM.xlsx`: the sheet of continuous day-ahead trading, gas day and
 * weighted mean. Traps: one of several sheets that look alike (within-day, storage, auctions); the head takes six rows and the unit
 * is in the last of them; days are integers; a day to come, or without a trade, has no price. Prices have three decimals here,
 * six elsewhere.
 */

import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { parseCompactDay } from '../reading/compact-day.ts'
import { DailyPrices } from '../reading/daily-prices.ts'
import type { Sheet, SheetRow } from '../reading/workbook.ts'
import { YEAR_DAY, YEAR_PRICE, YEAR_SHEET, YEAR_UNIT } from './codes.ts'

interface GasYear {
  day: number
  price: number
  /** Behind the head. */
  rows: readonly SheetRow[]
}

/** The table in the workbook; undefined where it has no such sheet. Fails with UnreadableDocument on a changed one. */
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
    } else if (typeof value === 'number') prices.on('PSV', gasDay).put(value, place)
    else
      prices.on('PSV', gasDay).report({ code: 'not_a_number', place, detail: `${JSON.stringify(value)} is no price` })
  }
  yield* prices.takeOverdue()
  const all = prices.takeAll()
  yield* all
  if (all.length === 0) throw new NothingPublished('workbook', 'holds no price of a gas day')
}

/** The column that is headed so anywhere in the sheet's head. */
function columnOf({ name, rows }: Sheet, heading: RegExp): number {
  for (const { cells } of rows) {
    const found = [...cells].find(([, cell]) => typeof cell === 'string' && heading.test(cell.trim()))
    if (found) return found[0]
  }
  throw new UnreadableDocument(name, `has no column ${heading.source.replace('^', '')}`)
}
