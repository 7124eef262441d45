/** Rows of a query as JSON, CSV and Arrow. */
import type { QueryRows } from '../../../store/analyst-sql.ts'
import type { SqlResult, SqlType } from '../../contract/analyst-sql.ts'
import { invalidParameter } from '../../contract/errors.ts'
import type { ArrowTable } from '../../http/arrow.ts'
import { attributionText } from '../source-credits.ts'

type Value = SqlResult['rows'][number][string]

/** Object ids of PostgreSQL's types (pg_type.dat). */
const TYPES: Record<number, SqlType> = {
  16: 'boolean',
  21: 'integer',
  23: 'integer',
  20: 'bigint',
  700: 'double precision',
  701: 'double precision',
  1700: 'numeric',
  1082: 'date',
  1184: 'timestamp with time zone',
}
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?(:\d\d)?$/

export function presentRows({ columns, rows, truncated, dataVersion }: QueryRows, baseUrl: URL): SqlResult {
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined)
    throw invalidParameter('sql', `returns two columns named ${twice}; rename one of them with AS`)
  const typed = columns.map(({ name, type }) => ({ name, type: TYPES[type] ?? ('text' as const) }))
  return {
    columns: typed,
    row_count: rows.length,
    truncated,
    data_version: dataVersion,
    rows: rows.map((row) =>
      Object.fromEntries(typed.map(({ name, type }, i) => [name, jsonValue(row[i] ?? null, type)])),
    ),
    attribution: `Sources as in the column source of the views, via ${attributionText([], baseUrl)}`,
  }
}

export function arrowColumns({ columns, rows }: SqlResult): ArrowTable['columns'] {
  return columns.map(({ name, type }): ArrowTable['columns'][number] => {
    const values = rows.map((row) => row[name] ?? null)
    const each = <T>(convert: (value: NonNullable<Value>) => T) =>
      values.map((value) => (value === null ? null : convert(value)))
    switch (type) {
      case 'boolean':
        return { name, type: 'boolean', values: each((value) => value === true) }
      case 'integer':
        return { name, type: 'integer', values: each(Number) }
      case 'bigint':
        return { name, type: 'bigint', values: each((value) => BigInt(value as string | number)) }
      case 'double precision':
      case 'numeric':
        return { name, type: 'number', values: each(Number) }
      case 'date':
        return { name, type: 'date', values: each((value) => milliseconds(name, `${value}T00:00Z`)) }
      case 'timestamp with time zone':
        return { name, type: 'instant', values: each((value) => milliseconds(name, String(value))) }
      default:
        return { name, type: 'text', values: each(String) }
    }
  })
}

function jsonValue(text: string | null, type: SqlType): Value {
  if (text === null) return null
  switch (type) {
    case 'boolean':
      return text === 't'
    case 'integer':
      return Number(text)
    case 'bigint':
      return Number.isSafeInteger(Number(text)) ? Number(text) : text
    case 'double precision':
    case 'numeric':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'timestamp with time zone':
      return text.replace(
        INSTANT,
        (_, day, time, hours, minutes = ':00', seconds = '') => `${day}T${time}${hours}${minutes}${seconds}`,
      )
    default:
      return text
  }
}

/** Arrow cannot hold infinities and years before Christ. */
function milliseconds(column: string, instant: string): number {
  try {
    return Temporal.Instant.from(instant).epochMilliseconds
  } catch {
    throw invalidParameter('sql', `returns a date in ${column} that Arrow cannot hold; ask for another format`)
  }
}
