/** Streams the rows of a CSV text. Every row has as many cells as the header, or reading ends there. */
import { CsvError, parse } from 'csv-parse'
import { UnreadableDocument } from '../faults.ts'
import type { Separator } from '../price-csv/header.ts'
import { type CsvRow, plainRows } from './plain-rows.ts'
import { throughTransform } from './through-transform.ts'

export type { CsvRow }

/** Also the most that an unclosed quote may swallow before it is detected. */
const ROW_CHARACTERS_MAX = 1024 * 1024

/** Yields the rows after the header, as many at a time as a chunk of the text holds. Fails with UnreadableDocument. */
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
  const counted = plainRows(chunks, separator)
  let next = await counted.next()
  for (; !next.done; next = await counted.next()) {
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
  let again = Math.min(plain, 1) // the header
  for await (const batch of throughTransform<string, CsvRow>(parser, followedBy(next.value, chunks))) {
    yield batch.slice(again)
    again = Math.max(again - batch.length, 0)
  }
}

async function* followedBy(first: string, rest: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
