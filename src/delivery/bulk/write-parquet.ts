/**
 * Writes Parquet with ZSTD, statistics and row groups of 100,000 rows. Chunks are streamed into the WebAssembly writer, which emits
 * bytes whenever a row group is full: only one row group is in memory, whatever the length of the file.
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
  /** Stored in the file; must not depend on the time of writing. */
  metadata: ReadonlyMap<string, string>
  /** Parquet only. */
  rowsPerGroup?: number
}

export async function* writeParquet(chunks: AsyncIterable<Chunk>, layout: FileLayout): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(layout.columns, new Map())
  const serialised = async function* () {
    for await (const chunk of chunks) yield serialise(recordBatch(schema, layout.columns, chunk))
  }
  yield* writeSerialised(serialised(), layout)
}

/** Serialises a batch as an Arrow stream, the form in which it is passed to WebAssembly. */
export function serialise(batch: RecordBatch): Uint8Array {
  return RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)
}

/** Writes a file from serialised batches. */
export async function* writeSerialised(
  batches: AsyncIterable<Uint8Array>,
  { columns, metadata, rowsPerGroup = ROWS_PER_GROUP }: FileLayout,
): AsyncGenerator<Uint8Array> {
  const properties = propertiesOf(columns, metadata).setMaxRowGroupSize(rowsPerGroup).build()
  const stream = await transformParquetStream(streamOf(wasmBatches(batches)), properties)
  yield* stream as unknown as AsyncIterable<Uint8Array>
}

/** Instants are delta-encoded: they are evenly spaced, so deltas take less space than a dictionary. */
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

/** The writer takes ownership of each batch and frees it. */
async function* wasmBatches(batches: AsyncIterable<Uint8Array>) {
  for await (const batch of batches) {
    const table = Table.fromIPCStream(batch)
    yield table.recordBatch(0)
    table.free()
  }
}

/** Same as `ReadableStream.from`, which is missing from the DOM types. */
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
