/** Streams the rows of a CSV text. Reading fails at the first row with more or fewer cells than the header. */
import { CsvError, parse } from 'csv-parse'
import { UnreadableDocument } from '../faults.ts'
import type { Separator } from '../price-csv/header.ts'
import { throughTransform } from './through-transform.ts'

/** Also limits how much an unclosed quote consumes before it is detected. */
const ROW_CHARACTERS_MAX = 1024 * 1024

/** Yields the rows after the header, in one batch per chunk of text. Fails with UnreadableDocument. */
export async function* csvRows(
  text: AsyncIterable<string>,
  separator: Separator,
): AsyncGenerator<CsvRow[], void, undefined> {
  let rows = 0
  try {
    for await (const batch of allRows(text, separator)) {
      const behindHeader = rows === 0 ? batch.slice(1) : batch
      rows += batch.length
      if (behindHeader.length > 0) yield behindHeader
    }
  } catch (err) {
    if (err instanceof CsvError)
      throw new UnreadableDocument(`line ${err.lines ?? '?'}`, `not sound CSV (${err.message})`)
    throw err
  }
  if (rows < 2) throw new UnreadableDocument('document', 'has a header but no row')
}

async function* allRows(text: AsyncIterable<string>, separator: Separator): AsyncGenerator<CsvRow[], void, undefined> {
  const chunks = text[Symbol.asyncIterator]()
  let plain = 0
  const plainBatches = plainRows(chunks, separator)
  let next = await plainBatches.next()
  for (; !next.done; next = await plainBatches.next()) {
    plain += next.value.length
    yield next.value
  }
  if (next.value === undefined) return
  const parser = parse({
    delimiter: separator,
    info: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARACTERS_MAX,
  })
  let rowsToSkip = Math.min(plain, 1) // the header
  for await (const batch of throughTransform<string, CsvRow>(parser, followedBy(next.value, chunks))) {
    yield batch.slice(rowsToSkip)
    rowsToSkip = Math.max(rowsToSkip - batch.length, 0)
  }
}

async function* followedBy(first: string, rest: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

export interface CsvRow {
  record: string[]
  info: {
    /** Line on which the row ends, from 1. */
    lines: number
  }
}

/** A longer line cannot be a row of prices. */
const LINE_CHARACTERS_MAX = 64 * 1024
/** A trailing carriage return may be the first half of CRLF. */
const LINE_END = /\r\n|\n|\r(?!$)/
/** Characters that only the full parser handles, by the line ending of the first line. */
const NOT_PLAIN: Record<string, RegExp> = { '\n': /["\r]/, '\r\n': /"|\r(?!\n|$)|(?<!\r)\n/, '\r': /^/ }

/**
 * Splits unquoted rows line by line, in a fifth of the full parser's time. Yields rows, the header first, until a quote or a line with
 * another number of cells. Returns the text left for the parser, or undefined if none is left. This text begins with the header and one
 * empty line per line already read, so that a parser which skips empty lines counts lines and cells as if it had read them all.
 */
async function* plainRows(
  chunks: AsyncIterator<string>,
  separator: Separator,
): AsyncGenerator<CsvRow[], string | undefined, undefined> {
  let [text, header, width, lines] = ['', '', 0, 0]
  let lineEnd: string | undefined
  for (;;) {
    const { value, done = false } = await chunks.next()
    text += value ?? ''
    lineEnd ??= LINE_END.exec(text)?.[0] ?? (done ? '\n' : undefined)
    const isPlain = lineEnd === undefined || !NOT_PLAIN[lineEnd]?.test(text)
    const given = isPlain ? text.split(lineEnd ?? '\n') : []
    if (given.length > 0 && !done) text = given.pop() as string
    const rows: CsvRow[] = []
    let plain = 0
    for (const line of given) {
      const record = line.split(separator)
      if (header === '') [header, width] = [line, record.length]
      const isRow = line !== ''
      if (line.length > LINE_CHARACTERS_MAX || (isRow && record.length !== width)) break
      plain++
      if (isRow) rows.push({ record, info: { lines: lines + plain } })
    }
    lines += plain
    yield rows
    const unread = [...given.slice(plain), ...(isPlain && done ? [] : [text])].join(lineEnd)
    if (plain < given.length || text.length > LINE_CHARACTERS_MAX || !isPlain)
      return header + (lineEnd ?? '').repeat(lines) + unread
    if (done) return undefined
  }
}
