/** The figures that the portal publishes alongside offers: regulated parameters of a day, and monthly averages of indices. */

import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import { type Fault, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { csvRows } from '../reading/csv-rows.ts'
import { type DecimalMark, decimalMarkIn, describePriceFault, readDecimal } from '../reading/decimals.ts'
import type { PublishedSeries, PublishedValue } from './offer.ts'
import type { FileNameInfo } from './values.ts'

// Regulated parameters: `PO_Parametri_[Mercato_Libero_]{E|G}_YYYYMMDD.csv`, a name, a value and a description per row.

export const PARAMETERS_HEADER = 'nome_parametro,valore,descrizione'

/** Yields one item after the last row. Fails with UnreadableDocument where reading cannot continue. */
export async function* parseParameters(
  text: AsyncIterable<string>,
  fileName: string,
  { day, commodity }: FileNameInfo,
): Items {
  const series = seriesOf(fileName, commodity)
  const values = new Map<string, PublishedValue>()
  const faults: Fault[] = []
  for await (const rows of csvRows(text, ',')) {
    for (const { record, info } of rows) {
      const [name = '', valueText = '', description] = record.map((cell) => cell.trim())
      const place = `line ${info.lines}`
      const value = readDecimal(valueText, '.')
      if (typeof value === 'string')
        faults.push({ code: value, place, detail: `${name}: ${describePriceFault(value, valueText, '.')}` })
      else if (values.has(name) && values.get(name)?.value !== value) {
        faults.push({ code: 'duplicate_interval', place, detail: `${name} is stated twice with different values` })
      } else values.set(name, { name, validOn: day, value, unit: undefined, description })
    }
  }
  yield { kind: 'published-values', series, day, values: [...values.values()], faults }
}

function seriesOf(fileName: string, commodity: FileNameInfo['commodity']): PublishedSeries {
  if (commodity === 'luce' || commodity === 'gas') {
    const terms = /mercato_libero/i.test(fileName) ? 'free' : 'placet'
    return `parameters-${terms}-${commodity === 'luce' ? 'power' : 'gas'}`
  }
  throw new UnreadableDocument(
    'file name',
    'does not say whose parameters these are: PO_Parametri_[Mercato_Libero_]{E|G}_YYYYMMDD.csv',
  )
}

// The history of the indices that offers follow, one row per month: `AnnoMese;PUN (€/kWh);PSV (€/Smc);…`. Decimal comma, or a point in
// another edition. The PUN is the mean over all hours of the month. A discontinued index has empty cells.

export const INDEX_MONTHS_BEGINNING = 'AnnoMese;'

/** Yields one item after the last row. Fails with UnreadableDocument where reading cannot continue. */
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
