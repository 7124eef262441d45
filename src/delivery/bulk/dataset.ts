/** Definition of a dataset: its columns, its sort order, and how its rows are read. The datasets themselves are in `datasets/`. */
import type { BulkDataset } from '../../api/contract/bulk.ts'
import { type Column, type ColumnOf, number, type Value, type Values } from '../../api/contract/table.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { sourceNames } from '../../publishers/sources.ts'
import { type BulkRead, type CountedTable, type RowFilter, sourceList } from '../../store/bulk-rows.ts'
import type { Queryable } from '../../store/sql-files.ts'

/** First and last day, YYYY-MM-DD. */
export interface DaySpan {
  from: string
  to: string
}

export interface Dataset {
  name: BulkDataset
  title: string
  /** Names of the columns that the rows are sorted by. */
  sortedBy: readonly string[]
  columns: readonly Column[]
  /** Columns that partition the files of its lake table: by the value of `part` and the year of `time`. */
  partitionedBy: { part: string; time: string }
  /** Whether it supports point-in-time reads (`asOf`). */
  supportsAsOf?: true
  /** Tables that several statements read, so that their versions must be compared; empty if one statement reads the whole dataset. */
  tables: readonly CountedTable[]
  /** Reads the rows that match the filter and come from `allowed` publishers, in sort order. */
  read(reader: Queryable, allowed: readonly string[], filter: RowFilter): AsyncIterable<DatasetChunk>
}

/** A batch of rows as one array of values per column, in the order of the columns. */
export interface Chunk {
  rows: number
  columns: readonly Values[]
}

export interface DatasetChunk extends Chunk {
  days: DaySpan
  /** Publishers of the rows' values. */
  sourceIds: ReadonlySet<string>
}

interface DatasetOf<Read> extends Omit<Dataset, 'columns' | 'read'> {
  columns: readonly ColumnOf<Read>[]
  from: BulkRead<Read>
}

const CHUNK_ROWS = 20_000

/** A dataset whose statements return one database row per dataset row. */
export function datasetOfRows<Row extends object>({
  from,
  daysOf,
  sourcesOf,
  ...dataset
}: DatasetOf<Row> & {
  /** Days of a row, YYYY-MM-DD. */
  daysOf(row: Row): string[]
  /** Publishers of a row. */
  sourcesOf(row: Row): string[]
}): Dataset {
  return {
    ...dataset,
    async *read(reader, allowed, filter) {
      for await (const rows of from(reader, allowed, filter)) {
        for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
          const batch = rows.slice(start, start + CHUNK_ROWS)
          const days = batch.flatMap(daysOf).sort()
          yield {
            rows: batch.length,
            columns: dataset.columns.map((column) => batch.map((row) => fieldOf(column, row) as Value)),
            days: { from: days[0] as string, to: days.at(-1) as string },
            sourceIds: new Set(batch.flatMap(sourcesOf)),
          }
        }
      }
    },
  }
}

/** Rows of consecutive intervals as one row of arrays; a value that all of them share is a scalar. */
export interface Block {
  row_count: number
  /** Milliseconds since 1970; null if there are no rows. */
  starts_at: number[]
  /** Comma-separated. */
  sources: string
}

/** A dataset whose statements return blocks: far fewer values to transfer and parse for millions of rows. */
export function datasetOfBlocks<Read extends Block>({ from, ...dataset }: DatasetOf<Read>): Dataset {
  return {
    ...dataset,
    async *read(reader, allowed, filter) {
      for await (const blocks of from(reader, allowed, filter)) {
        for (const block of blocks.filter(({ row_count: rows }) => rows > 0)) {
          const { row_count: rows, starts_at: startsAtMs } = block
          const [first, last] = [startsAtMs[0], startsAtMs.at(-1)].map((ms) => marketDayOfMs(ms as number))
          yield {
            rows,
            columns: dataset.columns.map((column) => {
              const values = fieldOf(column, block)
              return Array.isArray(values) ? values : new Array<Value>(rows).fill(values as Value)
            }),
            days: { from: first as string, to: last as string },
            sourceIds: new Set(sourceList(block.sources, rows)),
          }
        }
      }
    },
  }
}

function fieldOf<Read extends object>({ name, of }: Pick<ColumnOf<Read>, 'name' | 'of'>, read: Read): Value | Values {
  const value = of === undefined ? (read as Record<string, Value | Values>)[name] : of(read)
  if (value === undefined) throw new Error(`the statement has no column ${name}`)
  return value
}

/** A numeric column whose stored values are converted with `show`. */
export function convertedNumber(convert: (value: number) => number) {
  const convertValue = (value: Value): Value => (value === null ? null : convert(value as number))
  return <Read extends object>(name: string, meaning: string): ColumnOf<Read> =>
    number(name, meaning, (read) => {
      const stored = fieldOf({ name }, read)
      return Array.isArray(stored) ? stored.map(convertValue) : convertValue(stored as Value)
    })
}

export function joinSpans(a: DaySpan | undefined, b: DaySpan): DaySpan {
  return a === undefined ? b : { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to }
}

/** YYYY-MM-DD */
export function marketDayOfMs(ms: number): string {
  return marketDayOf(Temporal.Instant.fromEpochMilliseconds(ms)).toString()
}

/** Publisher name for each row of a block. */
export function namesIn({ sources, row_count: rows }: Block): string[] {
  const ids = sourceList(sources, rows)
  const names = new Map([...new Set(ids)].map((id) => [id, sourceNames([id])]))
  return ids.map((id) => names.get(id) as string)
}
