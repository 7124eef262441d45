/**
 * Partitions the rows of a dataset into files by value, such as the zone, and by year. A past year is one file. The open year has a
 * file for every two months, so that a night rewrites little and reading the whole year still takes few requests. After the end of the
 * year its files are merged, one value per night, so that no night writes much more than another.
 */

import { indexOf, type Values } from '../../api/contract/table.ts'
import { MARKET_TIME_ZONE } from '../../market/market-day.ts'
import type { Chunk, Dataset } from '../bulk/dataset.ts'

const MONTHS_PER_FILE = 2

/** Identifies the rows of a file. */
export interface Partition {
  /** The zone, asset, commodity or series. */
  part: string
  /** Span of market days: `2024`, or `2026-03` for March and April of 2026. */
  period: string
}

export function partitionKey({ part, period }: Partition): string {
  return `${part} ${period}`
}

/** Whether the rows of that value and year are split into two-month files. */
export type IsSplit = (part: string, year: number) => boolean

/** Splits open years, and past years until their value is next to be merged. `files`: the existing ones. */
export function splitYears(files: readonly Partition[], openYear: number): IsSplit {
  const ended = files.filter(({ period }) => period.includes('-') && yearOf(period) < openYear)
  const partToMerge = ended.map(({ part }) => part).sort()[0]
  const stillSplit = new Set(
    ended.filter(({ part }) => part !== partToMerge).map((file) => `${file.part} ${yearOf(file.period)}`),
  )
  return (part, year) => year >= openYear || stillSplit.has(`${part} ${year}`)
}

function yearOf(period: string): number {
  return Number(period.slice(0, 4))
}

/** A span of months within a year, with its bounds in milliseconds since 1970. */
interface Span {
  year: number
  /** The first month. */
  month: number
  from: number
  /** Not included. */
  to: number
}

interface PartitionedChunk extends Partition, Chunk {}

interface PartitionRows extends Partition {
  rows: number[]
}

/** Divides the rows of a chunk; they keep their order within each partition. */
export function divide(dataset: Dataset, chunk: Chunk, isSplit: IsSplit): PartitionedChunk[] {
  const { part, time } = dataset.partitionedBy
  const parts = chunk.columns[indexOf(dataset.columns, part)] as Values
  const times = chunk.columns[indexOf(dataset.columns, time)] as readonly (string | number)[]
  const found = new Map<string, PartitionRows>()
  let span: Span | undefined
  let current: PartitionRows | undefined
  times.forEach((at, row) => {
    const value = String(parts[row])
    if (current === undefined || span === undefined || current.part !== value || !isWithin(span, at)) {
      span = spanOf(at)
      current = rowsIn(found, { part: value, period: periodOf(span, isSplit(value, span.year)) })
    }
    current.rows.push(row)
  })
  return [...found.values()].map(({ rows, ...partition }) => ({ ...partition, ...rowsOf(chunk, rows) }))
}

function periodOf({ year, month }: Span, isSplit: boolean): string {
  return isSplit ? `${year}-${String(month).padStart(2, '0')}` : String(year)
}

function rowsIn(found: Map<string, PartitionRows>, partition: Partition): PartitionRows {
  const key = partitionKey(partition)
  const rows = found.get(key) ?? { ...partition, rows: [] }
  found.set(key, rows)
  return rows
}

function rowsOf(chunk: Chunk, rows: readonly number[]): Chunk {
  if (rows.length === chunk.rows) return chunk
  return { rows: rows.length, columns: chunk.columns.map((values) => rows.map((row) => values[row] ?? null)) }
}

/** Whether the span contains an instant in milliseconds, or a day. */
function isWithin({ year, month, from, to }: Span, at: string | number): boolean {
  if (typeof at === 'number') return at >= from && at < to
  return Number(at.slice(0, 4)) === year && firstMonth(Number(at.slice(5, 7))) === month
}

function spanOf(at: string | number): Span {
  const day =
    typeof at === 'string'
      ? Temporal.PlainDate.from(at)
      : Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(MARKET_TIME_ZONE)
  const month = firstMonth(day.month)
  const start = Temporal.PlainDate.from({ year: day.year, month, day: 1 })
  const end = start.add({ months: MONTHS_PER_FILE })
  const [from, to] = [start, end].map((first) => first.toZonedDateTime(MARKET_TIME_ZONE).epochMilliseconds)
  return { year: day.year, month, from: from as number, to: to as number }
}

function firstMonth(month: number): number {
  return month - ((month - 1) % MONTHS_PER_FILE)
}
