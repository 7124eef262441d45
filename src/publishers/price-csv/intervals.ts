/** Rows of intervals: `flow_date, ora, start_utc` and a price column per zone. */

import type { Items } from '../observations.ts'
import { type CsvRow, csvRows } from '../reading/csv-rows.ts'
import { DecimalReader } from '../reading/decimal-reader.ts'
import { type OpenDay, type Trouble, ZoneDays } from '../reading/zone-days.ts'
import type { IntervalLayout } from './header.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

export async function* parseIntervals(text: AsyncIterable<string>, layout: IntervalLayout): Items {
  const days = new ZoneDays()
  const decimals = new DecimalReader(layout.separator)
  try {
    for await (const rows of csvRows(text, layout.separator)) {
      for (const row of rows) {
        const isoDay = cell(row, layout.date).trim()
        const day = days.open(isoDay, layout.resolutionMinutes)
        if (day !== undefined) addRow(day, row, layout, decimals)
        else {
          const place = `line ${row.info.lines}, column ${layout.date.name}`
          days.reportImpossibleDate(place, `${JSON.stringify(isoDay)} is not a day of the calendar (YYYY-MM-DD)`)
        }
      }
      yield* days.takeOverdue()
    }
  } catch (err) {
    yield* days.takeAll({ afterBreak: true })
    throw err
  }
  yield* days.takeAll()
}

function addRow(day: OpenDay, row: CsvRow, layout: IntervalLayout, decimals: DecimalReader): void {
  const ordinalText = cell(row, layout.ordinal)
  const ordinal = /^\s*\d{1,3}\s*$/.test(ordinalText) ? Number(ordinalText) : undefined
  const rowTrouble: Trouble | undefined =
    ordinal === undefined
      ? { code: 'not_a_number', detail: `${layout.ordinal.name} is ${JSON.stringify(ordinalText)}` }
      : wrongStart(day, ordinal, row, layout)
  for (const column of layout.zones) {
    const text = cell(row, column)
    if (text.trim() === '') continue
    const price = decimals.read(text)
    const trouble =
      typeof price !== 'number' ? price : ordinal === undefined ? undefined : day.put(column.zone, ordinal, price)
    if (trouble) day.report(column.zone, `line ${row.info.lines}, column ${column.name}`, trouble)
    if (rowTrouble) day.report(column.zone, `line ${row.info.lines}`, rowTrouble)
  }
}

/** `start_utc` is a second statement of the interval: where the two differ, one of them is wrong and neither can be trusted. */
function wrongStart(day: OpenDay, ordinal: number, row: CsvRow, { start }: IntervalLayout): Trouble | undefined {
  if (start === undefined) return undefined
  const text = cell(row, start).trim()
  if (text === '') return undefined
  const expected = day.startOf(ordinal)
  if (INSTANT.test(text) && Date.parse(text) === expected) return undefined
  const stated = Temporal.Instant.fromEpochMilliseconds(expected)
  return {
    code: 'wrong_instant',
    detail: `start_utc is ${text}, but interval ${ordinal} of ${day.isoDay} starts at ${stated}`,
  }
}

function cell(row: CsvRow, { index }: { index: number }): string {
  return row.record[index] ?? ''
}
