/**
 * Makes the files of a request from one consistent state of the database.
 *
 * Rows are read in key order by short statements of a few thousand rows each, so that an export never blocks other clients, even on
 * the embedded engine, which serves one transaction at a time. Every statement that writes a table increments the table's version in its
 * own transaction (table_versions). If the version is the same before the first statement and after the last, nothing was committed in
 * between, so all statements saw the same state, as in a snapshot. If it differs, the file is deleted and the export starts over. A
 * dataset that a single statement reads is always consistent. Prices change a few times a day, so the first attempt nearly always
 * succeeds. If they keep changing, as during an import, the last attempt on a server reads in one REPEATABLE READ transaction, which
 * blocks nobody there. On the embedded engine it would block every client, so there the export fails and is retried later.
 *
 * Files contain no creation time: the same state gives the same bytes.
 */
import { BULK_PARTS, BULK_SCHEMA_VERSION, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import { type Column, indexOf, type Values } from '../../api/contract/table.ts'
import { startOfMarketDay } from '../../market/market-day.ts'
import { sourceDefinition } from '../../publishers/sources.ts'
import { ALL_ROWS, bulkSources, type RowFilter, tableVersion } from '../../store/bulk-rows.ts'
import type { Sql, Transaction } from '../../store/database.ts'
import type { Queryable } from '../../store/sql-files.ts'
import type { Division } from '../lake/write-partitions.ts'
import { type Dataset, type DatasetChunk, type DaySpan, joinSpans } from './dataset.ts'
import { type MadeFile, writeAndSync } from './write-file.ts'
import type { FileLayout } from './write-parquet.ts'

/** Metadata key of the JSON description in Parquet and Arrow files. */
const METADATA_KEY = 'bulk_export'
const ATTEMPTS_WITHOUT_TRANSACTION = 4

type Writer = (chunks: AsyncIterable<DatasetChunk>, layout: FileLayout) => AsyncIterable<Uint8Array>

/** Loaded while the database reads the first rows. */
const WRITERS: Record<BulkFormat, () => Promise<Writer>> = {
  parquet: async () => (await import('./write-parquet.ts')).writeParquet,
  'csv.gz': async () => (await import('./write-csv.ts')).writeCsv,
  arrow: async () => (await import('./write-arrow.ts')).writeArrow,
}

/** A file of a dataset or, with `division`, its files by part and year. */
export interface FileRequest {
  dataset: BulkDataset
  format: BulkFormat
  /** Undefined: all rows. */
  filter?: RowFilter | undefined
  /** Column names, in output order; undefined: all. */
  columns?: readonly string[] | undefined
  division?: Division | undefined
}

export interface MakeFilesOptions extends Omit<FileRequest, 'dataset'> {
  dataset: Dataset
  /** Path of the file, which must not exist, or of the folder for the files by part and year. */
  file: string
  /** True for a server, where a long transaction blocks nobody; false for the embedded engine. */
  isServer: boolean
  onProgress?: ((progress: ExportProgress) => void) | undefined
}

export interface ExportProgress {
  /** Rows read so far. */
  rows: number
  /** Approximate progress of reading, below 100. */
  percent: number
}

/** Returns no files if there are no rows. Throws if a file cannot be written or fails verification. */
export async function makeFiles(sql: Sql, { division, ...making }: MakeFilesOptions): Promise<MadeFile[]> {
  if (division !== undefined) {
    const { writePartitions } = await import('../lake/write-partitions.ts')
    const { dataset, file: folder } = making
    return withConsistentRows(sql, making, ({ chunks }) => writePartitions(chunks, { ...division, dataset, folder }))
  }
  const made = await withConsistentRows(sql, making, (rows) => writeFile(rows, making))
  if (made === undefined) return []
  const { checkFile } = await import('./check-file.ts')
  await checkFile(making.file, making.format, made)
  return [made]
}

/** Rows of a dataset from one state of the database and from publishers that allow redistribution. */
interface ConsistentRows {
  /** Throws after the last chunk if something was committed in the meantime. */
  chunks: AsyncGenerator<DatasetChunk>
  allowed: readonly string[]
}

/** Calls `use` with the rows of one state of the database; starts over if the state changes while they are read. */
async function withConsistentRows<Result>(
  sql: Sql,
  { dataset, isServer, filter }: Pick<MakeFilesOptions, 'dataset' | 'isServer' | 'filter'>,
  use: (rows: ConsistentRows) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS_WITHOUT_TRANSACTION; attempt++) {
    try {
      return await use(await readConsistentRows(sql, dataset, filter))
    } catch (err) {
      if (!(err instanceof StateChanged)) throw err
    }
  }
  if (!isServer) throw new Error(`the rows of ${dataset.name} changed during every attempt to read them`)
  const isolation = 'isolation level repeatable read read only'
  return (await sql.begin(isolation, async (tx: Transaction) =>
    use(await readConsistentRows(tx, dataset, filter)),
  )) as Result
}

/** Something was committed while rows were being read. */
class StateChanged extends Error {}

async function readConsistentRows(
  reader: Queryable,
  dataset: Dataset,
  filter: RowFilter = ALL_ROWS,
): Promise<ConsistentRows> {
  const version = await tableVersion(reader, dataset.tables)
  const allowed = await bulkSources(reader)
  async function* chunks() {
    yield* dataset.read(reader, allowed, filter)
    if ((await tableVersion(reader, dataset.tables)) !== version) throw new StateChanged()
  }
  return { chunks: chunks(), allowed }
}

async function writeFile(
  { chunks: rows, allowed }: ConsistentRows,
  { dataset, format, file, filter, columns, onProgress }: MakeFilesOptions,
): Promise<MadeFile | undefined> {
  const tally = new Tally()
  const chunks = selectColumns(
    dataset,
    columns,
    tally.countChunks(rows, onProgress && progressReporter(dataset, filter, onProgress)),
  )
  const [first, write] = await Promise.all([chunks.next(), WRITERS[format]()])
  if (first.done) return undefined
  const layout = { columns: columnsOf(dataset, columns), metadata: metadataOf(dataset, allowed, { filter, columns }) }
  const content = write(prepend(first.value, chunks), layout)
  const written = await writeAndSync(file, tally.rethrowFailure(content))
  const { rows: count, days = first.value.days, sourceIds } = tally
  return { ...written, rows: count, days, sourceIds: [...sourceIds].sort() }
}

function columnsOf({ columns }: Dataset, names: MakeFilesOptions['columns']): readonly Column[] {
  return names === undefined ? columns : names.map((name) => columns[indexOf(columns, name)] as Column)
}

/** Yields the chunks with only these columns. */
async function* selectColumns(
  { columns }: Dataset,
  names: MakeFilesOptions['columns'],
  chunks: AsyncIterable<DatasetChunk>,
): AsyncGenerator<DatasetChunk> {
  const indices = (names ?? columns.map(({ name }) => name)).map((name) => indexOf(columns, name))
  for await (const chunk of chunks) yield { ...chunk, columns: indices.map((i) => chunk.columns[i] as Values) }
}

function selectionOf({ partitionedBy }: Dataset, { from, to, parts, asOf }: RowFilter) {
  return { from, to, ...(parts && { [partitionedBy.part]: parts }), ...(asOf && { as_of: asOf }) }
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Tracks the rows passed to the writer: their number, days and sources. */
class Tally {
  rows = 0
  days: DaySpan | undefined
  readonly sourceIds = new Set<string>()
  /** The error that ended the rows. */
  #failure: unknown

  async *countChunks(
    chunks: AsyncIterable<DatasetChunk>,
    onChunk?: (chunk: DatasetChunk, rows: number) => void,
  ): AsyncGenerator<DatasetChunk> {
    try {
      for await (const chunk of chunks) {
        this.rows += chunk.rows
        this.days = joinSpans(this.days, chunk.days)
        for (const id of chunk.sourceIds) this.sourceIds.add(id)
        onChunk?.(chunk, this.rows)
        yield chunk
      }
    } catch (err) {
      this.#failure = err
      throw err
    }
  }

  /** Passes on the written bytes. The Parquet writer treats an error in its input as the end of the rows, so the error is rethrown here. */
  async *rethrowFailure(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* bytes
    if (this.#failure !== undefined) throw this.#failure
  }
}

/** Describes a file in a single entry: the Parquet writer orders several at random, so the same state would give different bytes. */
function metadataOf(
  dataset: Dataset,
  sourceIds: readonly string[],
  { filter, columns }: Pick<MakeFilesOptions, 'filter' | 'columns'>,
): Map<string, string> {
  const about = {
    dataset: dataset.name,
    title: dataset.title,
    schema_version: BULK_SCHEMA_VERSION,
    sorted_by: dataset.sortedBy,
    columns: Object.fromEntries(columnsOf(dataset, columns).map(({ name, meaning }) => [name, meaning])),
    ...(filter && { selection: selectionOf(dataset, filter) }),
    publisher: SERVICE_NAME,
    sources: sourceIds.map(sourceDefinition).map(({ name, url, terms }) => ({ name, url, terms })),
  }
  return new Map([[METADATA_KEY, JSON.stringify(about)]])
}

/** Share of the progress for reading; the rest is for writing and verification. */
const READ_PERCENT = 95

/** Returns a callback that reports progress by part and time of the chunk's last row; by time alone if rows are not sorted by part. */
function progressReporter(
  { name, sortedBy, partitionedBy, columns }: Dataset,
  filter: RowFilter = ALL_ROWS,
  report: (progress: ExportProgress) => void,
): (chunk: DatasetChunk, rows: number) => void {
  const isByPart = sortedBy[0] === partitionedBy.part
  const parts = isByPart ? [...(filter.parts ?? BULK_PARTS[name])].sort() : ['']
  const from = msOf(filter.from)
  const days = msOf(filter.to) - from + DAY_MS
  let percent = 0
  return (chunk, rows) => {
    const last = (column: string) => chunk.columns[indexOf(columns, column)]?.at(-1)
    const part = isByPart ? Math.max(0, parts.indexOf(String(last(partitionedBy.part)))) : 0
    const time = last(partitionedBy.time)
    const within = ((typeof time === 'number' ? time : msOf(String(time))) - from) / days
    const share = (part + Math.min(1, Math.max(0, within))) / parts.length
    percent = Math.max(percent, Math.floor(share * READ_PERCENT))
    report({ rows, percent })
  }
}

const DAY_MS = 86_400_000

function msOf(day: string): number {
  return startOfMarketDay(Temporal.PlainDate.from(day)).epochMilliseconds
}
