/** Reads the prices of one CSV document under one decimal mark. */

import type { Separator } from '../price-csv/header.ts'
import { type DecimalMark, decimalMarkIn, describePriceFault, readDecimal } from './decimals.ts'
import type { Trouble } from './zone-days.ts'

/** With `,` between the columns the mark is the point; with `;` it is the one that the first broken number shows. */
export class DecimalReader {
  #mark: DecimalMark | undefined

  constructor(separator: Separator) {
    this.#mark = separator === ',' ? '.' : undefined
  }

  /** The number, or its fault. */
  read(text: string): number | Trouble {
    this.#mark ??= decimalMarkIn(text)
    const mark = this.#mark ?? '.'
    const price = readDecimal(text, mark)
    return typeof price === 'number' ? price : { code: price, detail: describePriceFault(price, text, mark) }
  }
}
