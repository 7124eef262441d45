/** The columns of a bulk export file, typed and filled chunk by chunk. */

export type ColumnType = 'text' | 'date' | 'instant' | 'integer' | 'number'

export interface Column<Name extends string = string> {
  name: Name
  type: ColumnType
  /** Whether values may be missing. */
  nullable: boolean
  /** Its meaning and unit, for the documentation. */
  meaning: string
}

/** Text and dates (`YYYY-MM-DD`) as text, instants as milliseconds since 1970, a missing value as null. */
export type Value = string | number | null
export type Values = readonly Value[]

/** Some rows, as values by column in the order of the columns. */
export interface Chunk {
  rows: number
  columns: readonly Values[]
}

/** A column of which every row has a value. */
export function column<Name extends string>(name: Name, type: ColumnType, meaning: string): Column<Name> {
  return { name, type, nullable: false, meaning }
}

/** A column in which values may be missing. */
export function optional<Name extends string>(name: Name, type: ColumnType, meaning: string): Column<Name> {
  return { name, type, nullable: true, meaning }
}

export function indexOf(columns: readonly Column[], name: string): number {
  const index = columns.findIndex((column) => column.name === name)
  if (index < 0) throw new Error(`there is no column ${name}`)
  return index
}
