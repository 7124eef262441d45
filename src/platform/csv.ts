/**
 * CSV lines as Italian spreadsheets expect them: CRLF, separator `;`, decimal comma. Text that a spreadsheet would treat as a
 * formula is escaped. Spec: "Body format"; quoting as RFC 4180.
 */
export type CsvValue = string | number | boolean | null | undefined

export interface CsvDialect {
  separator: ';' | ',' | '\t'
  decimal: ',' | '.'
}

export const CSV_DIALECT: CsvDialect = { separator: ';', decimal: ',' }

const LINE_END = '\r\n'
const NEEDS_QUOTES: Record<CsvDialect['separator'], RegExp> = {
  ';': /[;"\r\n]/,
  ',': /[,"\r\n]/,
  '\t': /[\t"\r\n]/,
}
/** Spreadsheets evaluate a cell that begins with one of these. */
const FORMULA_START = /^[=+\-@\t\r]/
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/** `csvLine(['2026-11-21', 118.43])` is `2026-11-21;118,43␍␊`. */
export function csvLine(values: readonly CsvValue[], dialect = CSV_DIALECT): string {
  return values.map((value) => cell(value, dialect)).join(dialect.separator) + LINE_END
}

/** A missing value is an empty cell. */
function cell(value: CsvValue, { separator, decimal }: CsvDialect): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' ? decimalNumber(value, decimal) : text(value, NEEDS_QUOTES[separator])
}

function decimalNumber(value: number, decimal: CsvDialect['decimal']): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number for a CSV cell`)
  const digits = value.toString()
  return (digits.includes('e') ? plainDigits(value) : digits).replace('.', decimal)
}

/** Formats very small and very large numbers without an exponent. */
function plainDigits(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

function text(value: string, needsQuotes: RegExp): string {
  if (FORMULA_START.test(value) && !PLAIN_NUMBER.test(value)) return quoted(`'${value}`)
  return needsQuotes.test(value) ? quoted(value) : value
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`
}
