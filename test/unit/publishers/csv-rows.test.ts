import { CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows } from '../../../src/publishers/reading/csv-rows.ts'

const cell = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z0-9.]{0,4}$/) },
  { weight: 1, arbitrary: fc.constantFrom('"', '""', '"a;b"', '"a\nb"', 'a"b', ' ', '\r', '\n', '"unclosed') },
)
const line = fc.array(cell, { minLength: 0, maxLength: 3 }).map((cells) => cells.join(';'))
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
/** Lines, mostly of three cells, split anywhere. */
const document = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: fc.tuple(cell, cell, cell).map((cells) => cells.join(';')) }, line), {
      minLength: 1,
      maxLength: 8,
    }),
    lineEnd,
    fc.boolean(),
    fc.array(fc.nat(60), { maxLength: 4 }),
  )
  .map(([lines, end, isEnded, cuts]) => {
    const text = lines.join(end) + (isEnded ? end : '')
    const edges = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
    return { text, chunks: edges.slice(1).map((edge, i) => text.slice(edges[i], edge)) }
  })

/** Rows with their line numbers, and how reading ended. */
async function read(chunks: string[]) {
  const rows: [number, string[]][] = []
  try {
    for await (const batch of csvRows(asText(chunks), ';'))
      for (const row of batch) rows.push([row.info.lines, row.record])
    return { rows, fault: undefined }
  } catch (err) {
    return { rows, fault: (err as Error).message }
  }
}

async function* asText(chunks: string[]) {
  yield* chunks
}

/** The same with the parser alone. */
function parsed(text: string) {
  const rows: [number, string[]][] = []
  const onRecord = (record: string[], { lines }: { lines: number }) => void rows.push([lines, record])
  try {
    parse(text, { delimiter: ';', skip_empty_lines: true, on_record: onRecord })
    return { rows: rows.slice(1), fault: rows.length < 2 ? 'document: has a header but no row' : undefined }
  } catch (err) {
    if (!(err instanceof CsvError)) throw err
    return { rows: rows.slice(1), fault: `line ${err.lines ?? '?'}: not sound CSV (${err.message})` }
  }
}

test('csvRows yields the rows of the CSV parser, wherever the text is split', async () => {
  await fc.assert(
    fc.asyncProperty(document, async ({ text, chunks }) => {
      expect(await read(chunks)).toEqual(parsed(text))
    }),
    { numRuns: 2_000, examples: [[{ text: ';;\r\n\r', chunks: [';;\r\n\r'] }]] },
  )
})
