/** Streams the rows of a GME document: `<NewDataSet>`, an inline schema, then one element per row with one element per cell. */
import { GuardedXmlReader } from '../reading/guarded-xml.ts'

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

/** Yields every row; then fails with UnreadableDocument where the text breaks off or is not such a document. */
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
