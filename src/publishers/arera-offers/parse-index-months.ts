/**
 * The history of the indices that offers follow, one row a month: `AnnoMese;PUN (€/kWh);PSV (€/Smc);…`. Decimal comma, in another
 * edition a point. The PUN is the mean over all hours of the month. An index that has ended has empty cells.
 */

import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import { type Fault, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { csvRows } from '../reading/csv-rows.ts'
import { type DecimalMark, decimalMarkIn, describePriceFault, readDecimal } from '../reading/decimals.ts'
import type { PublishedValue } from './published-values.ts'

export const INDEX_MONTHS_BEGINNING = 'AnnoMese;'

/** Yields one item after the last row. Fails with UnreadableDocument at the first thing that cannot be read. */
export async function* parseIndexMonths(text: AsyncIterable<string>, header: string): Items {
  const columns = header.trim().split(';').slice(1).map(columnOf)
  const values: PublishedValue[] = []
  const faults: Fault[] = []
  const seen = new Set<string>()
  let mark: DecimalMark | undefined
  for await (const rows of csvRows(text, ';')) {
    for (const { record, info } of rows) {
      const [monthText = '', ...cells] = record
      const month = readMonth(monthText)
      const place = `line ${info.lines}`
      if (month === undefined || seen.has(monthText)) {
        const detail =
          month === undefined
            ? `${JSON.stringify(monthText)} is not a month such as 202601`
            : `${monthText} is listed twice`
        faults.push({ code: month === undefined ? 'impossible_date' : 'duplicate_interval', place, detail })
        continue
      }
      seen.add(monthText)
      for (const [index, cell] of cells.entries()) {
        const column = columns[index]
        if (column === undefined || cell.trim() === '') continue
        mark ??= decimalMarkIn(cell)
        const value = readDecimal(cell, mark ?? ',')
        if (typeof value === 'number') values.push({ ...column, validOn: month, value, description: undefined })
        else
          faults.push({ code: value, place, detail: `${column.name}: ${describePriceFault(value, cell, mark ?? ',')}` })
      }
    }
  }
  const latest = values
    .map(({ validOn }) => validOn)
    .sort(Temporal.PlainDate.compare)
    .at(-1)
  if (latest === undefined) throw new UnreadableDocument('document', 'holds no value of any month')
  yield { kind: 'published-values', series: 'index-months', day: latest, values, faults }
}

/** `PUN (€/kWh)` */
function columnOf(header: string): { name: string; unit: string } {
  const [, name, unit] = /^\s*(.+?)\s*\((€\/(?:kWh|Smc))\)\s*$/.exec(header) ?? []
  if (name === undefined || unit === undefined) {
    throw new UnreadableDocument(
      'header',
      `${JSON.stringify(header)} is not an index with its unit, such as PUN (€/kWh)`,
    )
  }
  return { name, unit }
}

function readMonth(text: string): MarketDay | undefined {
  const [, year, month] = /^(\d{4})(\d{2})$/.exec(text.trim()) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-01`)
}
