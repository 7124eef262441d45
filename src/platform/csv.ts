/**
 * Lines of CSV as Italian spreadsheets open them: CRLF, separator `;`, decimal comma. Text that a spreadsheet would take for a formula
 * is defused. Spec: "Body format"; quoting as RFC 4180.
 */
export type CsvValue = string | number | undefined

const SEPARATOR = ';'
const LINE_END = '\r\n'
const NEEDS_QUOTES = /[;"\r\n]/
/** What makes spreadsheets evaluate a cell. */
const FORMULA_START = /^[=+\-@\t\r]/
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/** `csvLine(['2026-11-21', 118.43])` is `2026-11-21;118,43␍␊`. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(cell).join(SEPARATOR) + LINE_END
}

/** A missing value is an empty cell. */
function cell(value: CsvValue): string {
  if (value === undefined) return ''
  return typeof value === 'number' ? decimalComma(value) : text(value)
}

function decimalComma(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number for a CSV cell`)
  const digits = value.toString()
  return (digits.includes('e') ? plainDigits(value) : digits).replace('.', ',')
}

/** Very small and very large numbers without an exponent. */
function plainDigits(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

function text(value: string): string {
  if (FORMULA_START.test(value) && !PLAIN_NUMBER.test(value)) return quoted(`'${value}`)
  return NEEDS_QUOTES.test(value) ? quoted(value) : value
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`
}
