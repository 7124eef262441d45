/** How a response is written: its format, the CSV dialect, and whether local times are also given in UTC. Handlers do not depend on it. */
import type * as z from 'zod'
import { CSV_DIALECT, type CsvDialect } from '../../platform/csv.ts'
import { csvDecimal, csvSeparator, formatParameter, timesParameter } from '../contract/parameters.ts'
import type { Format } from '../contract/plans.ts'
import { nameOf, type ReplyTable } from './csv-table.ts'

export interface Presentation {
  format: Format
  csv: CsvDialect
  withUtc: boolean
}

interface Presented {
  formats: readonly Format[]
  /** Whether the answer has starts in local time. */
  localTimes?: boolean
}

/** Presentation parameters of an endpoint. With a single format, it may define its own `format`, of a file instead of the response. */
export function presentationParameters({ formats, localTimes }: Presented): z.ZodRawShape {
  return {
    ...(formats.length > 1 && { format: formatParameter(formats) }),
    ...(formats.includes('csv') && { sep: csvSeparator, decimal: csvDecimal }),
    ...(localTimes && { times: timesParameter }),
  }
}

/** Separates the presentation parameters from the query that the handler receives. */
export function splitPresentation(endpoint: Presented, query: Record<string, unknown>) {
  const names = Object.keys(presentationParameters(endpoint))
  const asked = Object.fromEntries(names.map((name) => [name, query[name]]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
  return { asked, rest }
}

const SEPARATORS = { semicolon: ';', comma: ',', tab: '\t' } as const
const DECIMALS = { comma: ',', point: '.' } as const

/** A comma cannot be both separator and decimal mark: if it separates columns, the decimal mark is a point. */
export function csvDialect({ sep, decimal }: Record<string, unknown>): CsvDialect {
  const separator = SEPARATORS[(sep ?? 'semicolon') as keyof typeof SEPARATORS]
  if (separator === ',') return { separator, decimal: '.' }
  return { ...CSV_DIALECT, separator, decimal: DECIMALS[(decimal ?? 'comma') as keyof typeof DECIMALS] }
}

const LOCAL_TIMES = ['starts_at', 'ends_at'] as const

/** Adds the time in UTC after each start and end. */
export function addUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUtc)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isLocalTime(name)
        ? [
            [name, inner],
            [`${name}_utc`, toUtc(inner)],
          ]
        : [[name, addUtc(inner)]],
    ),
  )
}

export function addUtcColumns(table: ReplyTable): ReplyTable {
  return {
    ...table,
    columns: table.columns.map(nameOf).flatMap((name) => (isLocalTime(name) ? [name, `${name}_utc`] : [name])),
    rows: table.rows.map((row) => addUtc(row) as typeof row),
  }
}

function isLocalTime(name: string): boolean {
  return (LOCAL_TIMES as readonly string[]).includes(name)
}

function toUtc(local: unknown): string {
  return Temporal.Instant.from(local as string).toString()
}
