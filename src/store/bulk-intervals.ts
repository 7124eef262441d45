/** What the bulk exports read of the zones: intervals and quarter-hours, a zone's half year at a time. */
import { startOfMarketDay } from '../market/market-day.ts'
import { earlierOf, isBefore, laterOf } from '../market/time-order.ts'
import { STORED_ZONES, type ZoneCode } from '../market/zones.ts'
import { isWantedPart, type Reader, sourceList, type Wanted } from './bulk-rows.ts'
import { query, queryAsOf } from './sql-files.ts'

/** Intervals of one zone, column by column; instants in milliseconds since 1970. */
export interface IntervalColumns {
  zone: ZoneCode
  count: number
  startsAtMs: number[]
  resolutionMinutes: number[]
  eurMwh: number[]
  sourceIds: string[]
  observedAtMs: number[]
}

interface IntervalRow {
  row_count: number
  starts_at_ms: number[] | null
  resolution_minutes: number[]
  eur_mwh: number[]
  sources: string
  observed_at_ms: number[]
}

/** Quarter-hours of one zone, column by column. */
export interface QuarterColumns {
  zone: ZoneCode
  count: number
  startsAtMs: number[]
  /** 1 to 92, 96 or 100. */
  quarters: number[]
  eurMwh: number[]
  bands: string[]
  sourceIds: string[]
}

interface QuarterRow {
  row_count: number
  starts_at_ms: number[] | null
  quarters: number[]
  eur_mwh: number[]
  bands: string
  sources: string
}

/** A half year has 17,568 quarter-hours at most: a statement that reads so many delays no other. */
const INTERVAL_SPAN = { months: 6 }
/** The database reads the next rows while the previous ones are being written. */
const SPANS_AHEAD = 2

const LIST_INTERVALS = queryAsOf<IntervalRow>('bulk_intervals_list')
const FIND_BOUNDS = query<{ first: Temporal.Instant | null; last: Temporal.Instant }>('bulk_intervals_find_bounds')
const LIST_QUARTERS = query<QuarterRow>('bulk_quarters_list')

/** Stored intervals, zone by zone in alphabetical order, in order of time. */
export function bulkIntervals(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<IntervalColumns> {
  return zoneBySpan(reader, wanted, (span) => readIntervals(reader, span, sourceIds, wanted.asOf))
}

/** Stored quarter-hours, likewise. */
export function bulkQuarters(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<QuarterColumns> {
  return zoneBySpan(reader, wanted, (span) => readQuarters(reader, span, sourceIds))
}

/** What is read of each zone and half year, zones in alphabetical order. */
export async function* zoneBySpan<Read>(
  reader: Reader,
  wanted: Wanted,
  read: (span: ZoneSpan) => Promise<Read | undefined>,
): AsyncGenerator<Read> {
  const spans = await intervalSpans(reader, wanted)
  const zones = STORED_ZONES.filter((zone) => isWantedPart(wanted, zone)).sort()
  const parts = zones.flatMap((zone) => spans.map((span) => ({ zone, ...span })))
  const asked: Promise<Read | undefined>[] = []
  while (parts.length + asked.length > 0) {
    for (const part of parts.splice(0, SPANS_AHEAD + 1 - asked.length)) {
      const answer = read(part)
      answer.catch(() => {}) // thrown where it is awaited
      asked.push(answer)
    }
    const rows = await asked.shift()
    if (rows !== undefined) yield rows
  }
}

interface IntervalSpan {
  from: Temporal.Instant
  /** Not included. */
  to: Temporal.Instant
}

interface ZoneSpan extends IntervalSpan {
  zone: ZoneCode
}

/** From the first interval of any zone to the last. */
async function intervalSpans(reader: Reader, wanted: Wanted): Promise<IntervalSpan[]> {
  const [row] = await FIND_BOUNDS(reader, [...STORED_ZONES])
  return row === undefined || row.first === null ? [] : spansBetween(row.first, row.last, wanted)
}

/** Half years that hold both instants, as far as they are wanted. */
export function spansBetween(first: Temporal.Instant, last: Temporal.Instant, wanted: Wanted): IntervalSpan[] {
  const from = startOfMarketDay(Temporal.PlainDate.from(wanted.from))
  const to = startOfMarketDay(Temporal.PlainDate.from(wanted.to).add({ days: 1 }))
  const spans: IntervalSpan[] = []
  let start = first.toZonedDateTimeISO('UTC').with({ month: 1, day: 1 }).startOfDay()
  while (!isBefore(last, start.toInstant())) {
    const end = start.add(INTERVAL_SPAN)
    const span = { from: laterOf(start.toInstant(), from), to: earlierOf(end.toInstant(), to) }
    if (isBefore(span.from, span.to)) spans.push(span)
    start = end
  }
  return spans
}

/** Undefined where there is none. */
async function readIntervals(
  reader: Reader,
  { zone, from, to }: ZoneSpan,
  sourceIds: readonly string[],
  asOf: string | undefined,
): Promise<IntervalColumns | undefined> {
  const [row] = await LIST_INTERVALS(reader, asOf, zone, from.toString(), to.toString(), [...sourceIds])
  if (row === undefined || row.starts_at_ms === null) return undefined
  return {
    zone,
    count: row.row_count,
    startsAtMs: row.starts_at_ms,
    resolutionMinutes: row.resolution_minutes,
    eurMwh: row.eur_mwh,
    sourceIds: sourceList(row.sources, row.row_count),
    observedAtMs: row.observed_at_ms,
  }
}

async function readQuarters(
  reader: Reader,
  { zone, from, to }: ZoneSpan,
  sourceIds: readonly string[],
): Promise<QuarterColumns | undefined> {
  const [row] = await LIST_QUARTERS(reader, zone, from.toString(), to.toString(), [...sourceIds])
  if (row === undefined || row.starts_at_ms === null) return undefined
  return {
    ...{ zone, count: row.row_count, startsAtMs: row.starts_at_ms, quarters: row.quarters, eurMwh: row.eur_mwh },
    ...{ bands: row.bands.split(','), sourceIds: sourceList(row.sources, row.row_count) },
  }
}
