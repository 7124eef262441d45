/** Rows of days: a date and a price column per asset. A row without a price says nothing: a missing day stays missing. */
import { parseMarketDay } from '../../market/market-day.ts'
import type { DailyPrice, Parsed } from '../observations.ts'
import { type CsvRow, csvRows } from '../reading/csv-rows.ts'
import { OpenDailyPrice } from '../reading/daily-price.ts'
import { DecimalReader } from '../reading/decimal-reader.ts'
import { HeldDays } from '../reading/held-days.ts'
import { CO2_CONTRACT } from './columns.ts'
import type { Column, DayLayout } from './header.ts'

export async function* parseDays(
  text: AsyncIterable<string>,
  layout: DayLayout,
): AsyncGenerator<Parsed, void, undefined> {
  const reader = new DayReader(layout)
  try {
    for await (const rows of csvRows(text, layout.separator)) {
      for (const row of rows) yield* reader.read(row)
    }
  } catch (err) {
    yield* reader.takeAfterBreak()
    throw err
  }
  yield* reader.takeAll()
}

class DayReader {
  readonly #layout: DayLayout
  readonly #decimals: DecimalReader
  readonly #held = new HeldDays<OpenDailyPrice>()
  #current: OpenDailyPrice | undefined

  constructor(layout: DayLayout) {
    this.#layout = layout
    this.#decimals = new DecimalReader(layout.separator)
  }

  /** Adds a row; returns what it completes or cannot place. */
  read(row: CsvRow): Parsed[] {
    const { assets, contract, date } = this.#layout
    if (contract !== undefined && cell(row, contract) !== CO2_CONTRACT) return []
    for (const column of assets) {
      if (cell(row, column) === '') continue
      const open = this.#open(column.asset, cell(row, date))
      if (open !== undefined) this.#add(open, row, column)
      else {
        const detail = `${JSON.stringify(cell(row, date))} is not a day of the calendar (YYYY-MM-DD)`
        this.#held.reportImpossibleDate(`line ${row.info.lines}, column ${date.name}`, detail)
      }
    }
    return [...this.#held.takeFaults(), ...this.#held.takeOverdue().map((open) => open.finish())]
  }

  takeAll(): DailyPrice[] {
    return this.#held.takeAll().map((open) => open.finish())
  }

  /** A day of auctions at which the document breaks off may lack some of them. */
  takeAfterBreak(): Parsed[] {
    const whole = this.#held.takeAll().filter((open) => !this.#layout.auctionVolume || open !== this.#current)
    return [...this.#held.takeFaults(), ...whole.map((open) => open.finish())]
  }

  #open(asset: DailyPrice['asset'], isoDay: string): OpenDailyPrice | undefined {
    const key = `${asset} ${isoDay}`
    let open = this.#held.get(key)
    if (open === undefined) {
      const day = parseMarketDay(isoDay)
      if (day === undefined) return undefined
      open = new OpenDailyPrice(asset, day)
      this.#held.hold(key, open)
    }
    this.#current = open
    return open
  }

  #add(open: OpenDailyPrice, row: CsvRow, column: DayLayout['assets'][number]): void {
    const { auctionVolume } = this.#layout
    const place = `line ${row.info.lines}, column ${column.name}`
    const price = this.#decimals.read(cell(row, column))
    if (typeof price !== 'number') open.report({ place, ...price })
    else if (column.asset === 'CO2' && auctionVolume) this.#addAuction(open, price, row, auctionVolume)
    else open.put(price, place)
  }

  #addAuction(open: OpenDailyPrice, price: number, row: CsvRow, column: Column): void {
    const volume = this.#decimals.read(cell(row, column))
    if (typeof volume === 'number' && volume > 0) {
      open.putAuction(price, volume)
      return
    }
    const detail = `the auction's volume is ${JSON.stringify(cell(row, column))}`
    open.report({ code: 'not_a_number', place: `line ${row.info.lines}, column ${column.name}`, detail })
  }
}

function cell(row: CsvRow, { index }: Column): string {
  return (row.record[index] ?? '').trim()
}
