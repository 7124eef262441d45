/** Parses prices with a decimal comma or a decimal point; a document uses one of them throughout. */
import type { FaultCode } from '../faults.ts'
import type { Separator } from '../price-csv/header.ts'
import type { PartialFault } from './zone-days.ts'

export type DecimalMark = ',' | '.'

/** Includes scientific notation, which spreadsheets and programs use for very small numbers: `5e-05`. */
const WITH_POINT = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Points only as thousands separators in front of a decimal comma: `1.234,56`. */
const WITH_COMMA = /^[+-]?(?:\d+(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+)$/

/**
 * Returns the number, or the fault of the text under that mark. `101,23` with a comma is 101.23; `101.23` with a comma is
 * `mixed_decimal_marks`; `n/a` is `not_a_number` with either.
 */
export function readDecimal(text: string, mark: DecimalMark): number | FaultCode {
  const trimmed = text.trim()
  if (mark === '.') {
    if (WITH_POINT.test(trimmed)) return finite(Number(trimmed))
    return WITH_COMMA.test(trimmed) ? 'mixed_decimal_marks' : 'not_a_number'
  }
  if (WITH_COMMA.test(trimmed)) return finite(Number(trimmed.replaceAll('.', '').replace(',', '.')))
  return WITH_POINT.test(trimmed) ? 'mixed_decimal_marks' : 'not_a_number'
}

/** Returns the decimal mark in the text; undefined for a whole number and for anything that is not a number. */
export function decimalMarkIn(text: string): DecimalMark | undefined {
  const trimmed = text.trim()
  if (trimmed.includes(',')) return WITH_COMMA.test(trimmed) ? ',' : undefined
  return trimmed.includes('.') && WITH_POINT.test(trimmed) ? '.' : undefined
}

/** Returns a sentence for the user about a price that could not be read. */
export function describePriceFault(code: FaultCode, text: string, mark: DecimalMark): string {
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
  if (code !== 'mixed_decimal_marks') return `${shown} is not a number`
  return `${shown} is not written with the decimal ${mark === ',' ? 'comma' : 'point'} of this document`
}

function finite(value: number): number | FaultCode {
  return Number.isFinite(value) ? value : 'not_a_number'
}

/** Reads the prices of one CSV document. With separator `,` the decimal mark is the point; with `;` the first decimal number decides. */
export class DecimalReader {
  #mark: DecimalMark | undefined

  constructor(separator: Separator) {
    this.#mark = separator === ',' ? '.' : undefined
  }

  /** The number, or its fault. */
  read(text: string): number | PartialFault {
    this.#mark ??= decimalMarkIn(text)
    const mark = this.#mark ?? '.'
    const price = readDecimal(text, mark)
    return typeof price === 'number' ? price : { code: price, detail: describePriceFault(price, text, mark) }
  }
}
