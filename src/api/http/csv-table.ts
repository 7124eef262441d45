/** A table as CSV, in the dialect of `src/platform/csv.ts`. Spec: "Body format". */
import { type CsvDialect, type CsvValue, csvLine } from '../../platform/csv.ts'

export interface CsvTable {
  /** Without the extension. */
  filename: string
  /** Header of the first row: the JSON field names of the rows, constant fields among them. */
  columns: readonly string[]
  rows: readonly Readonly<Record<string, CsvValue>>[]
}

/** `toCsv({ columns: ['date', 'value'], rows: [{ date: '2026-11-21', value: 118.43 }] })` is `date;value␍␊2026-11-21;118,43␍␊`. */
export function toCsv({ columns, rows }: Pick<CsvTable, 'columns' | 'rows'>, dialect?: CsvDialect): string {
  return csvLine(columns, dialect) + csvLines({ columns, rows }, dialect)
}

/** Its rows alone. */
export function csvLines({ columns, rows }: Pick<CsvTable, 'columns' | 'rows'>, dialect?: CsvDialect): string {
  return rows
    .map((row) =>
      csvLine(
        columns.map((column) => row[column]),
        dialect,
      ),
    )
    .join('')
}
