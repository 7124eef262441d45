/**
 * Parquet with ZSTD, row groups of 100,000 rows with statistics. A chunk crosses into the WebAssembly writer as it comes and leaves
 * it as bytes when a row group is full: memory holds one row group, however long the file.
 */
import { type RecordBatch, RecordBatchStreamWriter } from 'apache-arrow'
import {
  Compression,
  EnabledStatistics,
  Encoding,
  Table,
  transformParquetStream,
  WriterPropertiesBuilder,
} from 'parquet-wasm'
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import type { Column } from '../../api/contract/table.ts'
import { arrowSchema, recordBatch } from './arrow-batches.ts'
import type { Chunk } from './dataset.ts'

const ROWS_PER_GROUP = 100_000

export interface FileLayout {
  columns: readonly Column[]
  /** Kept in the file; nothing in it may depend on when it is written. */
  metadata: ReadonlyMap<string, string>
  /** For Parquet files. */
  rowsPerGroup?: number
}

export async function* writeParquet(chunks: AsyncIterable<Chunk>, layout: FileLayout): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(layout.columns, new Map())
  const serialised = async function* () {
    for await (const chunk of chunks) yield serialise(recordBatch(schema, layout.columns, chunk))
  }
  yield* writeSerialised(serialised(), layout)
}

/** A batch of rows as an Arrow stream, which crosses into WebAssembly. */
export function serialise(batch: RecordBatch): Uint8Array {
  return RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)
}

/** The file of batches that are serialised. */
export async function* writeSerialised(
  batches: AsyncIterable<Uint8Array>,
  { columns, metadata, rowsPerGroup = ROWS_PER_GROUP }: FileLayout,
): AsyncGenerator<Uint8Array> {
  const properties = propertiesOf(columns, metadata).setMaxRowGroupSize(rowsPerGroup).build()
  const stream = await transformParquetStream(streamOf(wasmBatches(batches)), properties)
  yield* stream as unknown as AsyncIterable<Uint8Array>
}

/** Instants follow each other at steady distances, which take less room than a dictionary of them would. */
function propertiesOf(columns: FileLayout['columns'], metadata: FileLayout['metadata']): WriterPropertiesBuilder {
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .setKeyValueMetadata(new Map(metadata))
    .setCreatedBy(SERVICE_NAME)
  return columns
    .filter(({ type }) => type === 'instant')
    .reduce(
      (built, { name }) =>
        built.setColumnDictionaryEnabled(name, false).setColumnEncoding(name, Encoding.DELTA_BINARY_PACKED),
      properties,
    )
}

/** The writer takes over each batch and frees it. */
async function* wasmBatches(batches: AsyncIterable<Uint8Array>) {
  for await (const batch of batches) {
    const table = Table.fromIPCStream(batch)
    yield table.recordBatch(0)
    table.free()
  }
}

/** Same as `ReadableStream.from`, which is missing in the types of browsers. */
function streamOf<T>(items: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await items.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await items.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
