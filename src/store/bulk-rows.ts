/** Rows of the bulk exports, in order and in batches, limited to publishers whose values may be redistributed. */
import { FORECAST_CHAINS } from '../api/contract/forecasts.ts'
import { startOfMarketDay } from '../market/market-day.ts'
import { earlierOf, isBefore, laterOf } from '../market/time-order.ts'
import { STORED_ZONES } from '../market/zones.ts'
import { type Queryable, query, queryAsOf } from './sql-files.ts'

/** Filter of a dataset's rows. */
export interface RowFilter {
  /** First and last market day, YYYY-MM-DD. */
  from: string
  to: string
  /** Zones, assets, commodities or series; undefined: all. */
  parts?: readonly string[] | undefined
  /** Rows as known at this instant, ISO 8601; undefined: current rows. */
  asOf?: string | undefined
}

export const ALL_ROWS: RowFilter = { from: '1900-01-01', to: '2100-12-31' }

/** Rows from these publishers that pass the filter. */
export type BulkRead<Row> = (
  reader: Queryable,
  sourceIds: readonly string[],
  filter: RowFilter,
) => AsyncGenerator<readonly Row[]>

interface Statement {
  /** Whether the query can also be run as of an instant (`queryAsOf`). */
  canQueryAsOf?: true
}

function statement<Row extends object>(name: string, { canQueryAsOf }: Statement): ReturnType<typeof queryAsOf<Row>> {
  if (canQueryAsOf) return queryAsOf<Row>(name)
  const current = query<Row>(name)
  return (reader, _asOf, ...parameters) => current(reader, ...parameters)
}

/** Reads all rows in one statement. Its parameters are publishers, first day, last day and parts. */
export function inOneStatement<Row extends object>(name: string, options: Statement = {}): BulkRead<Row> {
  const list = statement<Row>(name, options)
  return async function* (reader, sourceIds, { from, to, parts, asOf }) {
    yield await list(reader, asOf, [...sourceIds], from, to, parts ? [...parts] : null)
  }
}

const FIND_ZONE_BOUNDS = query<{ first: Temporal.Instant | null; last: Temporal.Instant }>('bulk_intervals_find_bounds')
const FIND_FUNDAMENTAL_BOUNDS = query<{
  series: string
  area: string
  first: Temporal.Instant
  last: Temporal.Instant
}>('bulk_fundamentals_find_bounds')

/** Reads half a year of a zone per statement, zones in alphabetical order. Its parameters are zone, from, to and publishers. */
export function byZone<Row extends object>(name: string, options: Statement = {}): BulkRead<Row> {
  const list = statement<Row>(name, options)
  return async function* (reader, sourceIds, filter) {
    const [bounds] = await FIND_ZONE_BOUNDS(reader, [...STORED_ZONES])
    if (bounds === undefined || bounds.first === null) return
    const spans = spansBetween(bounds.first, bounds.last, filter)
    const zones = STORED_ZONES.filter((zone) => isPartIn(filter, zone)).sort()
    const parts = zones.flatMap((zone) => spans.map((span) => [zone, ...span]))
    yield* readAhead(parts, (part) => list(reader, filter.asOf, ...part, [...sourceIds]))
  }
}

/** Reads half a year of a series and area per statement, in alphabetical order. Its parameters are series, area, from, to and publishers. */
export function byFundamental<Row extends object>(
  name: string,
  { of, ...options }: Statement & { of(series: string): boolean },
): BulkRead<Row> {
  const list = statement<Row>(name, options)
  return async function* (reader, sourceIds, filter) {
    const bounds = (await FIND_FUNDAMENTAL_BOUNDS(reader)).filter(
      ({ series }) => of(series) && isPartIn(filter, series),
    )
    const parts = bounds.flatMap(({ series, area, first, last }) =>
      spansBetween(first, last, filter).map((span) => [series, area, ...span]),
    )
    yield* readAhead(parts, (part) => list(reader, filter.asOf, ...part, [...sourceIds]))
  }
}

/** The database reads the next parts while the previous ones are being written. */
const PARTS_AHEAD = 2

async function* readAhead<Part, Row>(parts: Part[], read: (part: Part) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const requested: Promise<Row[]>[] = []
  while (parts.length + requested.length > 0) {
    for (const part of parts.splice(0, PARTS_AHEAD + 1 - requested.length)) {
      const rows = read(part)
      rows.catch(() => {}) // thrown where it is awaited
      requested.push(rows)
    }
    yield (await requested.shift()) as Row[]
  }
}

/** A half year has 17,664 quarter-hours at most: reading that many rows does not delay other statements. */
const SPAN = { months: 6 }

/** Returns the half years between two instants, clipped to the filter, each with its start and its end (exclusive). */
function spansBetween(
  first: Temporal.Instant,
  last: Temporal.Instant,
  filter: RowFilter,
): [from: string, to: string][] {
  const from = startOfMarketDay(Temporal.PlainDate.from(filter.from))
  const to = startOfMarketDay(Temporal.PlainDate.from(filter.to).add({ days: 1 }))
  const spans: [string, string][] = []
  let start = first.toZonedDateTimeISO('UTC').with({ month: 1, day: 1 }).startOfDay()
  while (!isBefore(last, start.toInstant())) {
    const end = start.add(SPAN)
    const [begin, until] = [laterOf(start.toInstant(), from), earlierOf(end.toInstant(), to)]
    if (isBefore(begin, until)) spans.push([begin.toString(), until.toString()])
    start = end
  }
  return spans
}

/**
 * Reads a forecast ledger in the order of its chain, in full since it is small. The chain of synthetic prices is exported only if there is
 * no other: the two are never shown together.
 */
export function byChain<Row extends { sequence: number; target_date: string }>(
  name: string,
  { partOf, batchRows }: { partOf(row: Row): string; batchRows: number },
): BulkRead<Row> {
  const list = query<Row>(name)
  return async function* (reader, sourceIds, filter) {
    const isIn = (row: Row) =>
      row.target_date >= filter.from && row.target_date <= filter.to && isPartIn(filter, partOf(row))
    for (const chain of FORECAST_CHAINS) {
      let after = 0
      for (;;) {
        const rows = await list(reader, chain, after, [...sourceIds], batchRows)
        const last = rows.at(-1)
        if (last === undefined) break
        yield rows.filter(isIn)
        after = last.sequence
      }
      if (after > 0) return
    }
  }
}

function isPartIn({ parts }: RowFilter, part: string): boolean {
  return parts === undefined || parts.includes(part)
}

/** Splits `a,a,b` into `count` items, which are nearly always all the same. */
export function sourceList(text: string, count: number): string[] {
  const first = text.slice(0, (text.length + 1) / count - 1)
  return text === `${first}${`,${first}`.repeat(count - 1)}` ? new Array<string>(count).fill(first) : text.split(',')
}

/** Returns the publishers with stored values that may be redistributed in bulk. */
export async function bulkSources(reader: Queryable): Promise<string[]> {
  const rows = await reader.unsafe<{ id: string }[]>(
    'select id from sources where redistributable and exists (select from documents where source = sources.id) order by id',
  )
  return rows.map(({ id }) => id)
}

/** A table whose changes are counted. */
export type CountedTable =
  | 'price_intervals'
  | 'fundamentals'
  | 'forecasts'
  | 'forecast_actuals'
  | 'hourly_forecasts'
  | 'hourly_forecast_actuals'

/** Returns a number that changes with every commit that changed one of the tables. */
export async function tableVersion(reader: Queryable, tables: readonly CountedTable[]): Promise<number> {
  const [row] = await reader.unsafe<{ version: number }[]>(
    'select coalesce(sum(version), 0)::bigint as version from table_versions where table_name = any ($1::text[])',
    [[...tables]],
  )
  if (row === undefined) throw new Error('a sum has a row')
  return row.version
}
