/** Gzipped CSV in the dialect of the API: separator `;`, decimal comma, a header row, and an empty cell for a missing value. */
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Column } from '../../api/contract/table.ts'
import { type CsvValue, csvLine } from '../../platform/csv.ts'
import type { Chunk } from './dataset.ts'
import type { FileLayout } from './write-parquet.ts'

export function writeCsv(chunks: AsyncIterable<Chunk>, { columns }: FileLayout): AsyncIterable<Uint8Array> {
  const text = Readable.from(csvText(chunks, columns), { objectMode: true, highWaterMark: 1 })
  const gzip = createGzip({ level: 6 })
  text.on('error', (err) => gzip.destroy(err))
  return text.pipe(gzip)
}

async function* csvText(chunks: AsyncIterable<Chunk>, columns: readonly Column[]): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name))
  const cells = columns.map(({ type }) => (type === 'instant' ? instantFormatter() : plainCell))
  for await (const { rows, columns: values } of chunks) {
    let text = ''
    for (let row = 0; row < rows; row++) {
      text += csvLine(cells.map((cell, i) => cell(values[i]?.[row] ?? null)))
    }
    yield text
  }
}

function plainCell(value: string | number | null): CsvValue {
  return value ?? undefined
}

/** Formats instants as `2026-03-29T01:00:00Z`; caches the last one, since all rows of a day may share it. */
function instantFormatter() {
  let [lastMs, lastText]: [number | undefined, string] = [undefined, '']
  return (ms: string | number | null): CsvValue => {
    if (typeof ms !== 'number') return undefined
    if (ms !== lastMs) [lastMs, lastText] = [ms, Temporal.Instant.fromEpochMilliseconds(ms).toString()]
    return lastText
  }
}
