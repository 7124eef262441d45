/** The table of a response, and its CSV in the dialect of `src/platform/csv.ts`. Spec: "Body format". */

import { type CsvDialect, type CsvValue, csvLine } from '../../platform/csv.ts'
import type { TypedColumn } from '../contract/table.ts'

export interface ReplyTable {
  /** File name without the extension. */
  filename: string
  /** JSON field names of the rows, including constant fields; Arrow omits those without a type. */
  columns: readonly (string | TypedColumn)[]
  rows: readonly Readonly<Record<string, CsvValue>>[]
}

/** `toCsv({ columns: ['date', 'value'], rows: [{ date: '2026-11-21', value: 118.43 }] })` is `date;value␍␊2026-11-21;118,43␍␊`. */
export function toCsv(table: Pick<ReplyTable, 'columns' | 'rows'>, dialect?: CsvDialect): string {
  return csvLine(table.columns.map(nameOf), dialect) + csvLines(table, dialect)
}

export function nameOf(column: ReplyTable['columns'][number]): string {
  return typeof column === 'string' ? column : column.name
}

/** Returns the rows without the header. */
export function csvLines({ columns, rows }: Pick<ReplyTable, 'columns' | 'rows'>, dialect?: CsvDialect): string {
  const names = columns.map(nameOf)
  const lines = rows.map((row) =>
    csvLine(
      names.map((name) => row[name]),
      dialect,
    ),
  )
  return lines.join('')
}
