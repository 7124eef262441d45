/** Common parts of GME's markets: the publisher, its terms, the rows of its XML, and how to tell its markets' documents apart. */

import { GuardedXmlReader } from '../reading/guarded-xml.ts'

export const GME = {
  name: 'Gestore dei Mercati Energetici S.p.A. (GME)',
  url: 'https://www.mercatoelettrico.org',
  terms:
    'For information and private use, quoted as "Fonte: Gestore dei Mercati Energetici S.p.A."; redistribution and commercial use need the consent of GME.',
  redistributable: false,
  priority: 10,
}

/** Only GME's XML may lack a root element, with comments or nothing in its place. */
export function isGmeXml(root: string | undefined): boolean {
  return root === 'NewDataSet' || root === ''
}

/** Row element of a product in a session of the gas market. */
export const PRODUCT_ROW = 'negoziazione_continua'

/** Recognises gas by a row or, in a document without rows, by the schema at its start. */
export function isGasXml(xml: string): boolean {
  return xml.includes(`<${PRODUCT_ROW}>`) || xml.includes(`name="${PRODUCT_ROW}"`)
}

/** Recognises gas by a field that rows of power do not have, in either of the two spellings. */
export function isGasJson(json: string): boolean {
  return /"(?:Product|prodotto)"\s*:/.test(json)
}

/** Returns the intraday session in the first row of XML or JSON, `MI-A1` or the former `MI1`; undefined if there is none. */
export function sessionIn(text: string): string | undefined {
  return /(?:<Mercato>\s*|"Market"\s*:\s*")(MI-A[1-3]|MI[1-7])(?=\s*[<"])/.exec(text)?.[1]
}

/** Recognises results of the continuous intraday market by a field that no auction has. */
export function isContinuousJson(json: string): boolean {
  return /"ReferencePrice"\s*:/.test(json)
}

// Streams the rows of a GME document: `<NewDataSet>`, an inline schema, then one element per row with one element per cell.

const SCHEMA = 'schema'
/** The schema nests eight elements deep; a cell has about twenty characters. */
const LIMITS = { roots: ['NewDataSet'], depthMax: 32, taglessMax: 1024 * 1024 }
const CELLS_MAX = 200

export interface Row {
  /** Name of the row's element: `Prezzi`. */
  name: string
  /** Line of the row's end tag. */
  line: number
  /** Text of the cells by tag, trimmed; a cell without text is absent. */
  cells: ReadonlyMap<string, string>
}

/** Yields every row; then fails with UnreadableDocument if the text is truncated or is not such a document. */
export function readRows(text: AsyncIterable<string>): AsyncGenerator<Row, void, undefined> {
  return new RowReader(LIMITS).read(text)
}

class RowReader extends GuardedXmlReader<Row> {
  #cells = new Map<string, string>()
  #cellText = ''

  protected enter(): void {
    this.#cellText = ''
  }

  protected leave(name: string): void {
    const depth = this.path.length
    if (depth === 3 && this.path[1] !== SCHEMA) this.#addCell(name)
    if (depth === 2 && name !== SCHEMA) {
      this.emit({ name, line: this.line, cells: this.#cells })
      this.#cells = new Map()
    }
  }

  protected addText(text: string): void {
    if (this.path.length === 3) this.#cellText += text
  }

  #addCell(tag: string): void {
    const text = this.#cellText.trim()
    if (text === '') return
    const before = this.#cells.get(tag)
    if (before !== undefined && before !== text) {
      throw this.unreadable(`a row has two <${tag}>, ${JSON.stringify(before)} and ${JSON.stringify(text)}`)
    }
    this.#cells.set(tag, text)
    if (this.#cells.size > CELLS_MAX) throw this.unreadable(`a row has more than ${CELLS_MAX} cells`)
  }
}
