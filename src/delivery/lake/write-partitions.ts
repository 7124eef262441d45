/**
 * Reads one state of a dataset and writes its partitions as Parquet. Each is encoded in memory, and written to disk only if its bytes
 * differ from those of the existing file. The same rows give the same bytes, so an unchanged partition keeps its file, whatever changes
 * in the others.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { BULK_SCHEMA_VERSION } from '../../api/contract/bulk.ts'
import { indexOf } from '../../api/contract/table.ts'
import { marketDayOf } from '../../market/market-day.ts'
import type { ColumnStatistics } from '../../store/lake-files.ts'
import { numberedSchema, recordBatch } from '../bulk/arrow-batches.ts'
import { checkFile } from '../bulk/check-file.ts'
import type { Chunk, Dataset, DatasetChunk, DaySpan } from '../bulk/dataset.ts'
import { type MadeFile, writeAndSync } from '../bulk/write-file.ts'
import { serialise, writeSerialised } from '../bulk/write-parquet.ts'
import { divide, type IsSplit, type Partition, partitionKey, splitYears } from './partitions.ts'

/** Readers fetch one row group at a time: about a year of hours, or a hundred days of quarter-hours. */
const ROWS_PER_GROUP = 10_000

export interface PartitionFile extends Partition, MadeFile {
  /** In the order of the columns. */
  statistics: ColumnStatistics[]
  /** Path of the written file; undefined if its bytes equal those of the existing file. */
  file: string | undefined
}

/** How a dataset is divided into files. */
export interface Division {
  /** The existing files. */
  existing: readonly (Partition & { sha256: string })[]
  /** The current year. */
  openYear: number
}

interface PartitionRequest extends Division {
  dataset: Dataset
  /** Output folder; created if missing. */
  folder: string
}

/** Throws if a file cannot be written, or differs from what was written. */
export async function writePartitions(
  chunks: AsyncIterable<DatasetChunk>,
  request: PartitionRequest,
): Promise<PartitionFile[]> {
  await mkdir(request.folder, { recursive: true })
  const writer = new PartitionWriter(request)
  for await (const chunk of chunks) await writer.add(chunk)
  return await writer.end()
}

interface OpenPartition extends Partition {
  rows: number
  statistics: ColumnStatistics[]
  sourceIds: Set<string>
  /** Batches of rows, serialised and compressed to save memory: all partitions of a dataset may be open at once. */
  batches: Buffer[]
}

class PartitionWriter {
  readonly #request: PartitionRequest
  readonly #isSplit: IsSplit
  readonly #schema
  readonly #existing: ReadonlyMap<string, string>
  readonly #open = new Map<string, OpenPartition>()
  readonly #files: PartitionFile[] = []

  constructor(request: PartitionRequest) {
    this.#request = request
    this.#isSplit = splitYears(request.existing, request.openYear)
    this.#schema = numberedSchema(request.dataset.columns)
    this.#existing = new Map(request.existing.map((file) => [partitionKey(file), file.sha256]))
  }

  async add(chunk: DatasetChunk): Promise<void> {
    const { dataset } = this.#request
    const divided = divide(dataset, chunk, this.#isSplit)
    for (const { part, period, ...rows } of divided) {
      const key = partitionKey({ part, period })
      const open = this.#open.get(key) ?? {
        ...{ part, period, rows: 0, batches: [], sourceIds: new Set<string>() },
        statistics: emptyStatistics(dataset.columns.length),
      }
      this.#open.set(key, open)
      open.rows += rows.rows
      open.batches.push(zstdCompressSync(serialise(recordBatch(this.#schema, dataset.columns, rows))))
      addStatistics(open.statistics, rows)
      for (const id of chunk.sourceIds) open.sourceIds.add(id)
    }
    // If rows are sorted by part, all earlier parts are complete.
    const last = divided.at(-1)?.part
    if (dataset.sortedBy[0] === dataset.partitionedBy.part) await this.#close(({ part }) => part !== last)
  }

  async end(): Promise<PartitionFile[]> {
    await this.#close(() => true)
    return this.#files
  }

  async #close(isComplete: (partition: OpenPartition) => boolean): Promise<void> {
    for (const [key, partition] of this.#open) {
      if (!isComplete(partition)) continue
      this.#open.delete(key)
      this.#files.push(await this.#finish(partition))
    }
  }

  async #finish({ batches, sourceIds, ...partition }: OpenPartition): Promise<PartitionFile> {
    const { dataset, folder } = this.#request
    const pieces: Uint8Array[] = []
    const hash = createHash('sha256')
    for await (const piece of writeSerialised(decompressed(batches), layoutOf(dataset))) {
      pieces.push(piece)
      hash.update(piece)
    }
    const written = { sha256: hash.digest('hex'), bytes: pieces.reduce((sum, { length }) => sum + length, 0) }
    const days = daysOf(dataset, partition.statistics)
    const described = { ...partition, ...written, days, sourceIds: [...sourceIds].sort() }
    if (this.#existing.get(partitionKey(partition)) === written.sha256) return { ...described, file: undefined }
    const file = path.join(folder, `${randomBytes(8).toString('hex')}.parquet`)
    await writeAndSync(file, toAsyncIterable(pieces))
    await checkFile(file, 'parquet', { ...written, rows: partition.rows })
    return { ...described, file }
  }
}

async function* decompressed(batches: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const batch of batches) yield zstdDecompressSync(batch)
}

async function* toAsyncIterable(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** Statistics before any row. */
function emptyStatistics(columns: number): ColumnStatistics[] {
  return Array.from({ length: columns }, () => ({ min: null, max: null, nulls: 0 }))
}

/** Updates minimum, maximum and null count of each column, by which readers skip files that cannot match. */
function addStatistics(statistics: readonly ColumnStatistics[], { columns }: Chunk): void {
  statistics.forEach((one, i) => {
    for (const value of columns[i] ?? []) {
      if (value === null) one.nulls += 1
      else {
        if (one.min === null || value < one.min) one.min = value
        if (one.max === null || value > one.max) one.max = value
      }
    }
  })
}

/** The metadata is short, since it is in every file. The single-file exports describe each column. */
function layoutOf({ name, columns, sortedBy }: Dataset) {
  const about = { dataset: name, schema_version: BULK_SCHEMA_VERSION, sorted_by: sortedBy }
  return { columns, metadata: new Map([['bulk_export', JSON.stringify(about)]]), rowsPerGroup: ROWS_PER_GROUP }
}

/** First and last market day. */
function daysOf({ columns, partitionedBy }: Dataset, statistics: readonly ColumnStatistics[]): DaySpan {
  const { min, max } = statistics[indexOf(columns, partitionedBy.time)] as ColumnStatistics
  return { from: dayOf(min), to: dayOf(max) }
}

function dayOf(time: string | number | null): string {
  return typeof time === 'number' ? marketDayOf(Temporal.Instant.fromEpochMilliseconds(time)).toString() : String(time)
}
