/** A dataset as a value: its columns, its order, and how its rows are read. `datasets/` has one file for each. */
import type { BulkDataset } from '../../api/contract/bulk.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { sourceNames } from '../../publishers/sources.ts'
import type { CountedTable, Reader, Wanted } from '../../store/bulk-rows.ts'
import type { Chunk, Column } from './column.ts'

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
  /** The columns whose values, and years, the files of its table are divided by. */
  partitionedBy: { part: string; time: string }
  /** Whether it can be read as it was known at an earlier instant. */
  knowsPast?: true
  /** The tables it is read from in several statements; none where one statement reads it all. */
  tables: readonly CountedTable[]
  /** The rows that are wanted and whose publishers are `allowed`, in order. */
  read(reader: Reader, allowed: readonly string[], wanted: Wanted): AsyncIterable<DatasetChunk>
}

export interface DatasetChunk extends Chunk {
  days: DaySpan
  /** Publishers of the rows' values. */
  sourceIds: ReadonlySet<string>
}

/** The span of days that are text and in no particular order. */
export function spanOf(days: Iterable<string>): DaySpan {
  let [from, to] = ['9999-12-31', '0001-01-01']
  for (const day of days) {
    if (day < from) from = day
    if (day > to) to = day
  }
  return { from, to }
}

export function joinSpans(a: DaySpan | undefined, b: DaySpan): DaySpan {
  return a === undefined ? b : { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to }
}

/** What a chunk of values of consecutive instants says beside its columns. */
export function aboutInstants(
  startsAtMs: readonly number[],
  sourceIds: readonly string[],
): Omit<DatasetChunk, 'columns'> {
  const [from, to] = [startsAtMs[0], startsAtMs.at(-1)].map((ms) => marketDayOfMs(ms as number))
  return { rows: startsAtMs.length, days: { from: from as string, to: to as string }, sourceIds: new Set(sourceIds) }
}

/** YYYY-MM-DD */
export function marketDayOfMs(ms: number): string {
  return marketDayOf(Temporal.Instant.fromEpochMilliseconds(ms)).toString()
}

/** The publisher's name of each value. */
export function namesOf(sourceIds: readonly string[]): string[] {
  const names = new Map([...new Set(sourceIds)].map((id) => [id, sourceNames([id])]))
  return sourceIds.map((id) => names.get(id) as string)
}
