/** Rows of intervals: `flow_date, ora, start_utc` and a column per zone, or per fundamental. */

import type { DocumentFault, ZoneDay } from '../observations.ts'
import { type CsvRow, csvRows } from '../reading/csv-rows.ts'
import { DecimalReader } from '../reading/decimals.ts'
import { type OpenDay, type PartialFault, ZoneDays } from '../reading/zone-days.ts'
import type { IntervalLayout } from './header.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** Yields the days of each zone or fundamental that has a column. */
export async function* readIntervals<Zone extends string>(
  text: AsyncIterable<string>,
  layout: IntervalLayout<Zone>,
): AsyncGenerator<ZoneDay<Zone> | DocumentFault, void, undefined> {
  const days = new ZoneDays<Zone>()
  const decimals = new DecimalReader(layout.separator)
  yield* days.itemsFrom(csvRows(text, layout.separator), (rows) => {
    for (const row of rows) {
      const isoDay = cell(row, layout.date).trim()
      const day = days.open(isoDay, layout.resolutionMinutes)
      if (day !== undefined) addRow(day, row, layout, decimals)
      else {
        const place = `line ${row.info.lines}, column ${layout.date.name}`
        days.reportImpossibleDate(place, `${JSON.stringify(isoDay)} is not a day of the calendar (YYYY-MM-DD)`)
      }
    }
  })
}

function addRow<Zone extends string>(
  day: OpenDay<Zone>,
  row: CsvRow,
  layout: IntervalLayout<Zone>,
  decimals: DecimalReader,
): void {
  const ordinalText = cell(row, layout.ordinal)
  const ordinal = /^\s*\d{1,3}\s*$/.test(ordinalText) ? Number(ordinalText) : undefined
  const rowFault: PartialFault | undefined =
    ordinal === undefined
      ? { code: 'not_a_number', detail: `${layout.ordinal.name} is ${JSON.stringify(ordinalText)}` }
      : (checkHour(ordinal, row, layout) ?? checkStart(day, ordinal, row, layout))
  for (const column of layout.zones) {
    const text = cell(row, column)
    if (text.trim() === '') continue
    const price = decimals.read(text)
    const trouble =
      typeof price !== 'number' ? price : ordinal === undefined ? undefined : day.put(column.zone, ordinal, price)
    if (trouble) day.report(column.zone, `line ${row.info.lines}, column ${column.name}`, trouble)
    if (rowFault) day.report(column.zone, `line ${row.info.lines}`, rowFault)
  }
}

/** Next to quarter-hours, `ora` is redundant: it reveals quarters that are numbered within the hour instead of the day. */
function checkHour(
  ordinal: number,
  row: CsvRow,
  { ordinal: { name }, resolutionMinutes, hour }: Pick<IntervalLayout, 'ordinal' | 'resolutionMinutes' | 'hour'>,
): PartialFault | undefined {
  if (hour === undefined) return undefined
  const text = cell(row, hour).trim()
  const expected = Math.ceil((ordinal * resolutionMinutes) / 60)
  if (text === '' || Number(text) === expected) return undefined
  return {
    code: 'wrong_instant',
    detail: `${hour.name} is ${text}, but ${name} ${ordinal} is in hour ${expected} of the day`,
  }
}

/** `start_utc` states the interval redundantly: if the two differ, one of them is wrong and neither can be trusted. */
function checkStart(
  day: Pick<OpenDay, 'startOf' | 'isoDay'>,
  ordinal: number,
  row: CsvRow,
  { start }: Pick<IntervalLayout, 'start'>,
): PartialFault | undefined {
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
