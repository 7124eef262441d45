/**
 * Streams the rows of a GME document: `<NewDataSet>`, an inline schema, then one element per row with one element per cell. No
 * document type, no entity beyond XML's own five, nothing deep and nothing long: whatever else comes is refused, not expanded.
 */
import { SaxesParser } from 'saxes'
import { UnreadableDocument } from '../faults.ts'

const ROOT = 'NewDataSet'
const SCHEMA = 'xs:schema'
/** The schema nests eight elements deep. */
const DEPTH_MAX = 32
const CELLS_MAX = 200
/** Characters without a tag beginning or ending; a cell has about twenty. */
const TAGLESS_MAX = 1024 * 1024

export interface Row {
  /** Name of the row's element: `Prezzi`. */
  name: string
  /** Line of the row's end tag. */
  line: number
  /** Text of the cells by tag, trimmed; a cell without text is absent. */
  cells: ReadonlyMap<string, string>
}

/** Yields every row; then fails with UnreadableDocument where the text breaks off or is not such a document. */
export async function* readRows(text: AsyncIterable<string>): AsyncGenerator<Row, void, undefined> {
  const reader = new RowReader()
  for await (const chunk of text) {
    const failure = reader.read(chunk)
    yield* reader.takeRows()
    if (failure) throw failure
  }
  const failure = reader.end()
  if (failure) throw failure
}

class RowReader {
  readonly #parser = new SaxesParser()
  readonly #path: string[] = []
  #rows: Row[] = []
  #cells = new Map<string, string>()
  #cellText = ''
  #charactersSinceTag = 0

  constructor() {
    const parser = this.#parser
    parser.on('error', (err) => {
      throw this.#unreadable(`cut off or not well-formed (${err.message.replace(/^\d+:\d+: /, '')})`)
    })
    parser.on('doctype', () => {
      throw this.#unreadable('has a document type declaration (DOCTYPE), which is refused: entities are never expanded')
    })
    parser.on('opentag', ({ name }) => this.#enter(name))
    parser.on('closetag', ({ name }) => this.#leave(name))
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
  }

  /** Undefined, or why nothing more can be read. */
  read(chunk: string): UnreadableDocument | undefined {
    this.#charactersSinceTag += chunk.length
    return this.#failureOf(() => {
      this.#parser.write(chunk)
      if (this.#charactersSinceTag > TAGLESS_MAX + chunk.length) throw this.#unreadable('more than 1 MiB without a tag')
    })
  }

  end(): UnreadableDocument | undefined {
    return this.#failureOf(() => this.#parser.close())
  }

  takeRows(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #enter(name: string): void {
    this.#charactersSinceTag = 0
    this.#cellText = ''
    this.#path.push(name)
    if (this.#path.length === 1 && name !== ROOT) throw this.#unreadable(`begins with <${name}>, not with <${ROOT}>`)
    if (this.#path.length > DEPTH_MAX) throw this.#unreadable(`nests more than ${DEPTH_MAX} elements`)
  }

  #leave(name: string): void {
    this.#charactersSinceTag = 0
    const depth = this.#path.length
    if (depth === 3 && this.#path[1] !== SCHEMA) this.#addCell(name)
    if (depth === 2 && name !== SCHEMA) this.#addRow(name)
    this.#path.pop()
  }

  #addCell(tag: string): void {
    const text = this.#cellText.trim()
    if (text === '') return
    const before = this.#cells.get(tag)
    if (before !== undefined && before !== text) {
      throw this.#unreadable(`a row has two <${tag}>, ${JSON.stringify(before)} and ${JSON.stringify(text)}`)
    }
    this.#cells.set(tag, text)
    if (this.#cells.size > CELLS_MAX) throw this.#unreadable(`a row has more than ${CELLS_MAX} cells`)
  }

  #addRow(name: string): void {
    this.#rows.push({ name, line: this.#parser.line, cells: this.#cells })
    this.#cells = new Map()
  }

  #addText(text: string): void {
    if (this.#path.length === 3) this.#cellText += text
  }

  #failureOf(read: () => void): UnreadableDocument | undefined {
    try {
      read()
      return undefined
    } catch (err) {
      if (err instanceof UnreadableDocument) return err
      throw err
    }
  }

  #unreadable(detail: string): UnreadableDocument {
    return new UnreadableDocument(`line ${this.#parser.line}`, detail)
  }
}
