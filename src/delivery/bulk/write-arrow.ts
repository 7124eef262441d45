/** An Arrow IPC stream whose buffers are compressed with ZSTD. */
import { CompressionType, type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow'
import { arrowSchema, recordBatch } from './arrow-batches.ts'
import type { Chunk } from './dataset.ts'
import type { FileLayout } from './write-parquet.ts'

/** Length of the end-of-stream marker. */
const END_BYTES = 8

/**
 * The library's writer buffers without limit, so each batch is written as a separate stream. The schema at its start and the
 * end-of-stream marker are stripped and emitted only once.
 */
export async function* writeArrow(
  chunks: AsyncIterable<Chunk>,
  { columns, metadata }: FileLayout,
): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(columns, metadata)
  const frame = streamOf(schema, [])
  const schemaBytes = frame.length - END_BYTES
  yield frame.subarray(0, schemaBytes)
  for await (const chunk of chunks) {
    yield streamOf(schema, [recordBatch(schema, columns, chunk)]).subarray(schemaBytes, -END_BYTES)
  }
  yield frame.subarray(schemaBytes)
}

function streamOf(schema: Schema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter({ compressionType: CompressionType.ZSTD, autoDestroy: false })
  writer.reset(undefined, schema)
  for (const batch of batches) writer.write(batch)
  writer.close()
  return writer.toUint8Array(true)
}
