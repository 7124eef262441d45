/** Reads a finished file back from disk, to verify that its bytes are those written and that a reader finds every row. */
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { createGunzip } from 'node:zlib'
import './arrow-batches.ts' // for ZSTD
import { RecordBatchReader } from 'apache-arrow'
import { ParquetFile, type RecordBatch } from 'parquet-wasm'
import type { BulkFormat } from '../../api/contract/bulk.ts'
import type { WrittenFile } from './write-file.ts'

const COUNT: Record<BulkFormat, (file: string) => Promise<number>> = {
  parquet: countParquetRows,
  'csv.gz': countCsvRows,
  arrow: countArrowRows,
}

/** Throws if the file differs from what was written. */
export async function checkFile(
  file: string,
  format: BulkFormat,
  { bytes, sha256, rows }: WrittenFile & { rows: number },
): Promise<void> {
  const hash = createHash('sha256')
  let read = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    read += piece.length
  }
  if (read !== bytes || hash.digest('hex') !== sha256) throw new Error(`${file} differs from what was written`)
  const found = await COUNT[format](file)
  if (found !== rows) throw new Error(`${file} holds ${found} rows instead of ${rows}`)
}

/** Decodes every column, a row group at a time. */
async function countParquetRows(file: string): Promise<number> {
  const parquet = await ParquetFile.fromFile(await openAsBlob(file))
  const batches = (await parquet.stream({ concurrency: 1 })) as unknown as AsyncIterable<RecordBatch>
  let rows = 0
  for await (const batch of batches) {
    rows += batch.numRows
    batch.free()
  }
  parquet.free()
  return rows
}

/** Counts the lines except the header; no value contains a line break. */
async function countCsvRows(file: string): Promise<number> {
  let lines = 0
  for await (const text of createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) lines += 1
  }
  return lines - 1
}

async function countArrowRows(file: string): Promise<number> {
  let rows = 0
  for await (const batch of await RecordBatchReader.from(createReadStream(file))) rows += batch.numRows
  return rows
}
