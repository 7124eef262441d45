/** Streams the rows of a CSV text. Every row has as many cells as the header, or reading ends there. */
import { CsvError, parse } from 'csv-parse'
import { UnreadableDocument } from '../faults.ts'
import type { Separator } from '../price-csv/header.ts'
import { throughTransform } from './through-transform.ts'

/** Also the most that an unclosed quote may swallow before it is detected. */
const ROW_CHARACTERS_MAX = 1024 * 1024

export interface CsvRow {
  record: string[]
  info: {
    /** Line on which the row ends, from 1. */
    lines: number
  }
}

/** Yields the rows after the header, as many at a time as a chunk of the text holds. Fails with UnreadableDocument. */
export async function* csvRows(
  text: AsyncIterable<string>,
  separator: Separator,
): AsyncGenerator<CsvRow[], void, undefined> {
  const parser = parse({
    delimiter: separator,
    info: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARACTERS_MAX,
  })
  let rows = 0
  try {
    for await (const batch of throughTransform<string, CsvRow>(parser, text)) {
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
