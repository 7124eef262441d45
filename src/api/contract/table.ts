/** Typed columns of a table. CSV, Arrow, Parquet, Iceberg, Data Packages and the tables in the documents are generated from them. */

export type ColumnType = 'text' | 'date' | 'instant' | 'integer' | 'number'

export interface Column {
  name: string
  type: ColumnType
  /** Whether values may be missing. */
  nullable: boolean
  /** Its meaning and unit, for the documentation. */
  meaning: string
}

/** A column of a response; the response schema states its meaning. */
export interface TypedColumn {
  name: string
  type: ColumnType | 'boolean' | 'bigint'
}

/** Text and dates (`YYYY-MM-DD`) as text, instants as milliseconds since 1970, a missing value as null. */
export type Value = string | number | null
export type Values = readonly Value[]

/** A column and the function that computes it from a record; without `of` it is the field of the same name. */
export interface ColumnOf<Read> extends Column {
  of?(read: Read): Value | Values
}

const column =
  (type: ColumnType) =>
  <Read>(name: string, meaning = '', of?: (read: Read) => Value | Values): ColumnOf<Read> => ({
    ...{ name, type, nullable: false, meaning },
    ...(of && { of }),
  })

/** Columns without missing values. */
export const text = column('text')
export const date = column('date')
export const instant = column('instant')
export const integer = column('integer')
export const number = column('number')

/** Returns the column as nullable. */
export function optional<Read>(column: ColumnOf<Read>): ColumnOf<Read> {
  return { ...column, nullable: true }
}

export function indexOf(columns: readonly Column[], name: string): number {
  const index = columns.findIndex((column) => column.name === name)
  if (index < 0) throw new Error(`there is no column ${name}`)
  return index
}
