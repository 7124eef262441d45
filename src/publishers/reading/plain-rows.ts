/** Rows of CSV in which nothing is quoted, split line by line, which takes a fifth of a parser's time. */
import type { Separator } from '../price-csv/header.ts'

export interface CsvRow {
  record: string[]
  info: {
    /** Line on which the row ends, from 1. */
    lines: number
  }
}

/** A longer line is no row of prices. */
const LINE_CHARACTERS_MAX = 64 * 1024
/** A carriage return at the end may be half of a line's end. */
const LINE_END = /\r\n|\n|\r(?!$)/
/** By the end of the first line: what a parser may understand in another way. */
const NOT_PLAIN: Record<string, RegExp> = { '\n': /["\r]/, '\r\n': /"|\r(?!\n|$)|(?<!\r)\n/, '\r': /^/ }

/**
 * Yields rows, the header first, until there is a quote, or a line with another number of cells; returns what a parser has to read from
 * there on, undefined where nothing is left. It begins with the header and an empty line for each line that was read, so that a
 * parser that skips empty lines counts lines and cells as if it had read them all.
 */
export async function* plainRows(
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
