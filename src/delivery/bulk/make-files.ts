/**
 * Makes the files of a request, which hold one state of the database.
 *
 * How: rows are read in short statements of some thousand rows each, in the order of a key, so that nobody waits for an export, on the
 * embedded engine either, which serves one transaction at a time. Every statement that writes a table raises the table's version in its
 * own transaction (table_versions). If the version is the same before the first statement and after the last, nothing was committed in
 * between, and all statements saw one state, as a snapshot would have. If it differs, the file is deleted and started again; a
 * dataset that a single statement reads is one state in any case. Prices change a few times a day, so the first attempt nearly always
 * holds. If they keep changing, as during an import, the last attempt on a server reads in one REPEATABLE READ transaction, which
 * blocks nobody there; on the embedded engine it would block everybody, so there the export fails and is retried later.
 *
 * A file does not state when it was written: the same state gives the same bytes.
 */
import { BULK_PARTS, BULK_SCHEMA_VERSION, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import { type Column, indexOf, type Values } from '../../api/contract/table.ts'
import { startOfMarketDay } from '../../market/market-day.ts'
import { sourceDefinition } from '../../publishers/sources.ts'
import { ALL_ROWS, bulkSources, type Reader, type RowFilter, tableVersion } from '../../store/bulk-rows.ts'
import type { Sql, Transaction } from '../../store/database.ts'
import type { Division } from '../lake/write-partitions.ts'
import { type Dataset, type DatasetChunk, type DaySpan, joinSpans } from './dataset.ts'
import { type MadeFile, writeWhole } from './write-file.ts'
import type { FileLayout } from './write-parquet.ts'

/** The metadata key under which Parquet and Arrow files describe themselves, as JSON. */
const METADATA_KEY = 'bulk_export'
const ATTEMPTS_WITHOUT_TRANSACTION = 4

type Writer = (chunks: AsyncIterable<DatasetChunk>, layout: FileLayout) => AsyncIterable<Uint8Array>

/** Loaded while the database reads the first rows. */
const WRITERS: Record<BulkFormat, () => Promise<Writer>> = {
  parquet: async () => (await import('./write-parquet.ts')).writeParquet,
  'csv.gz': async () => (await import('./write-csv.ts')).writeCsv,
  arrow: async () => (await import('./write-arrow.ts')).writeArrow,
}

/** A file of a dataset, or with `division` its files by part and year. */
export interface FileRequest {
  dataset: BulkDataset
  format: BulkFormat
  /** Undefined: all rows. */
  filter?: RowFilter | undefined
  /** Names of columns, in their order; undefined: all. */
  columns?: readonly string[] | undefined
  division?: Division | undefined
}

export interface Making extends Omit<FileRequest, 'dataset'> {
  dataset: Dataset
  /** The file, which must not exist, or the folder of the files by part and year. */
  file: string
  /** A server, on which a long transaction holds up nobody, and not the embedded engine. */
  isServer: boolean
  onProgress?: ((progress: MakingProgress) => void) | undefined
}

export interface MakingProgress {
  /** Rows read so far. */
  rows: number
  /** About how much has been read, below 100. */
  percent: number
}

/** None if there are no rows. Throws if a file cannot be written or differs from what was written. */
export async function makeFiles(sql: Sql, { division, ...making }: Making): Promise<MadeFile[]> {
  if (division !== undefined) {
    const { writePartitions } = await import('../lake/write-partitions.ts')
    const { dataset, file: folder } = making
    return inOneState(sql, making, ({ chunks }) => writePartitions(chunks, { ...division, dataset, folder }))
  }
  const made = await inOneState(sql, making, (rows) => writeFile(rows, making))
  if (made === undefined) return []
  const { checkFile } = await import('./check-file.ts')
  await checkFile(making.file, making.format, made)
  return [made]
}

/** The rows of a dataset as a reader of its file is to see them: of one state, from publishers that allow it. */
interface StateRows {
  /** Throws at their end if something was committed meanwhile. */
  chunks: AsyncGenerator<DatasetChunk>
  allowed: readonly string[]
}

/** Calls `use` with the rows of one state of the database, again from the beginning where the state changed meanwhile. */
async function inOneState<Result>(
  sql: Sql,
  { dataset, isServer, filter }: Pick<Making, 'dataset' | 'isServer' | 'filter'>,
  use: (rows: StateRows) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS_WITHOUT_TRANSACTION; attempt++) {
    try {
      return await use(await rowsOfState(sql, dataset, filter))
    } catch (err) {
      if (!(err instanceof StateChanged)) throw err
    }
  }
  if (!isServer) throw new Error(`the rows of ${dataset.name} changed during every attempt to read them`)
  const begun = 'isolation level repeatable read read only'
  return (await sql.begin(begun, async (tx: Transaction) => use(await rowsOfState(tx, dataset, filter)))) as Result
}

/** Something was committed while rows were being read. */
class StateChanged extends Error {}

async function rowsOfState(reader: Reader, dataset: Dataset, filter: RowFilter = ALL_ROWS): Promise<StateRows> {
  const version = await tableVersion(reader, dataset.tables)
  const allowed = await bulkSources(reader)
  async function* chunks() {
    yield* dataset.read(reader, allowed, filter)
    if ((await tableVersion(reader, dataset.tables)) !== version) throw new StateChanged()
  }
  return { chunks: chunks(), allowed }
}

async function writeFile(
  { chunks: rows, allowed }: StateRows,
  { dataset, format, file, filter, columns, onProgress }: Making,
): Promise<MadeFile | undefined> {
  const tally = new Tally()
  const chunks = picked(dataset, columns, tally.counted(rows, onProgress && progressOf(dataset, filter, onProgress)))
  const [first, write] = await Promise.all([chunks.next(), WRITERS[format]()])
  if (first.done) return undefined
  const layout = { columns: columnsOf(dataset, columns), metadata: metadataOf(dataset, allowed, { filter, columns }) }
  const content = write(startingWith(first.value, chunks), layout)
  const written = await writeWhole(file, tally.orFailure(content))
  const { rows: count, days = first.value.days, sourceIds } = tally
  return { ...written, rows: count, days, sourceIds: [...sourceIds].sort() }
}

function columnsOf({ columns }: Dataset, names: Making['columns']): readonly Column[] {
  return names === undefined ? columns : names.map((name) => columns[indexOf(columns, name)] as Column)
}

/** The chunks with these columns alone. */
async function* picked(
  { columns }: Dataset,
  names: Making['columns'],
  chunks: AsyncIterable<DatasetChunk>,
): AsyncGenerator<DatasetChunk> {
  const indices = (names ?? columns.map(({ name }) => name)).map((name) => indexOf(columns, name))
  for await (const chunk of chunks) yield { ...chunk, columns: indices.map((i) => chunk.columns[i] as Values) }
}

function selectionOf({ partitionedBy }: Dataset, { from, to, parts, asOf }: RowFilter) {
  return { from, to, ...(parts && { [partitionedBy.part]: parts }), ...(asOf && { as_of: asOf }) }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Counts what passes to the writer. */
class Tally {
  rows = 0
  days: DaySpan | undefined
  readonly sourceIds = new Set<string>()
  /** Why no more rows came. */
  #failure: unknown

  async *counted(
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

  /** The bytes that were made of the rows. The Parquet writer treats an error among the rows as their end, so it is thrown here. */
  async *orFailure(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* bytes
    if (this.#failure !== undefined) throw this.#failure
  }
}

/** The description of a file, as one entry: the Parquet writer orders several at random, so no two files would be equal. */
function metadataOf(
  dataset: Dataset,
  sourceIds: readonly string[],
  { filter, columns }: Pick<Making, 'filter' | 'columns'>,
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

/** The rest is for the writer and the check. */
const READ_PERCENT = 95

/** How far the reading has come, by the place of the last row in what the filter takes; to be called with each chunk and the rows read so far. Where rows are not in the order of parts, only their time counts. */
function progressOf(
  { name, sortedBy, partitionedBy, columns }: Dataset,
  filter: RowFilter = ALL_ROWS,
  report: (progress: MakingProgress) => void,
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
