/** What the bulk exports read: whole tables in order, in chunks, limited to publishers whose values may be redistributed. */

import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import type { FundamentalArea, FundamentalSeries } from '../market/fundamentals.ts'
import { startOfMarketDay } from '../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../market/offers.ts'
import { STORED_ZONES, type ZoneCode } from '../market/zones.ts'
import type { Sql, Transaction } from './database.ts'
import { query } from './sql-files.ts'

/** Each statement separately, or all of them in one transaction. */
export type Reader = Pick<Sql | Transaction, 'unsafe'>

/** Which rows of a dataset are read. */
export interface Wanted {
  /** First and last market day, YYYY-MM-DD. */
  from: string
  to: string
  /** Zones, assets, commodities or series; undefined: all. */
  parts?: readonly string[] | undefined
  /** As they were known at this instant, ISO 8601; undefined: as they are now. */
  asOf?: string | undefined
}

export const ALL_ROWS: Wanted = { from: '1900-01-01', to: '2100-12-31' }

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
const FORECASTS_AT_A_TIME = 5_000
const DAYS_OF_HOURS_AT_A_TIME = 500

const LIST_INTERVALS = query('bulk_intervals_list')
const FIND_INTERVAL_BOUNDS = query('bulk_intervals_find_bounds')
const LIST_INTERVALS_AS_OF = query('bulk_intervals_list_as_of')
const LIST_QUARTERS = query('bulk_quarters_list')
const LIST_DAILY_PRICES = query('bulk_daily_prices_list')
const LIST_DAILY_PRICES_AS_OF = query('bulk_daily_prices_list_as_of')
const LIST_FORECASTS = query('bulk_forecasts_list')
const LIST_HOURLY_FORECASTS = query('bulk_hourly_forecasts_list')
const LIST_OFFER_INDICES = query('bulk_offer_indices_list')
const LIST_FUNDAMENTALS = query('bulk_fundamentals_list')
const LIST_FUNDAMENTALS_AS_OF = query('bulk_fundamentals_list_as_of')
const FIND_FUNDAMENTAL_BOUNDS = query('bulk_fundamentals_find_bounds')

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

function isWantedPart({ parts }: Wanted, part: string): boolean {
  return parts === undefined || parts.includes(part)
}

export interface ZoneSpan extends IntervalSpan {
  zone: ZoneCode
}

/** From the first interval of any zone to the last. */
async function intervalSpans(reader: Reader, wanted: Wanted): Promise<IntervalSpan[]> {
  const [row] = await reader.unsafe<{ first: Temporal.Instant | null; last: Temporal.Instant }[]>(
    FIND_INTERVAL_BOUNDS,
    [[...STORED_ZONES]],
  )
  return row === undefined || row.first === null ? [] : spansBetween(row.first, row.last, wanted)
}

/** Half years that hold both instants, as far as they are wanted. */
function spansBetween(first: Temporal.Instant, last: Temporal.Instant, wanted: Wanted): IntervalSpan[] {
  const from = startOfMarketDay(Temporal.PlainDate.from(wanted.from))
  const to = startOfMarketDay(Temporal.PlainDate.from(wanted.to).add({ days: 1 }))
  const spans: IntervalSpan[] = []
  let start = first.toZonedDateTimeISO('UTC').with({ month: 1, day: 1 }).startOfDay()
  while (Temporal.Instant.compare(start.toInstant(), last) <= 0) {
    const end = start.add(INTERVAL_SPAN)
    const span = { from: laterOf(start.toInstant(), from), to: earlierOf(end.toInstant(), to) }
    if (Temporal.Instant.compare(span.from, span.to) < 0) spans.push(span)
    start = end
  }
  return spans
}

function laterOf(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) > 0 ? a : b
}

function earlierOf(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) < 0 ? a : b
}

/** Undefined where there is none. */
async function readIntervals(
  reader: Reader,
  { zone, from, to }: ZoneSpan,
  sourceIds: readonly string[],
  asOf: string | undefined,
): Promise<IntervalColumns | undefined> {
  const parameters = [zone, from.toString(), to.toString(), [...sourceIds]]
  const [row] = await (asOf === undefined
    ? reader.unsafe<IntervalRow[]>(LIST_INTERVALS, parameters, { prepare: true })
    : reader.unsafe<IntervalRow[]>(LIST_INTERVALS_AS_OF, [...parameters, asOf], { prepare: true }))
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
  const parameters = [zone, from.toString(), to.toString(), [...sourceIds]]
  const [row] = await reader.unsafe<QuarterRow[]>(LIST_QUARTERS, parameters, { prepare: true })
  if (row === undefined || row.starts_at_ms === null) return undefined
  return {
    ...{ zone, count: row.row_count, startsAtMs: row.starts_at_ms, quarters: row.quarters, eurMwh: row.eur_mwh },
    ...{ bands: row.bands.split(','), sourceIds: sourceList(row.sources, row.row_count) },
  }
}

/** `a,a,b` as `count` items; they are nearly always all the same. */
function sourceList(text: string, count: number): string[] {
  const first = text.slice(0, (text.length + 1) / count - 1)
  return text === `${first}${`,${first}`.repeat(count - 1)}` ? new Array<string>(count).fill(first) : text.split(',')
}

/** Values of one fundamental, column by column; instants in milliseconds since 1970. */
export interface FundamentalColumns {
  series: FundamentalSeries
  area: FundamentalArea
  unit: string
  count: number
  startsAtMs: number[]
  resolutionMinutes: number[]
  values: number[]
  sourceIds: string[]
  knownAtMs: number[]
}

interface FundamentalRow {
  row_count: number
  starts_at_ms: number[] | null
  resolution_minutes: number[]
  values: number[]
  unit: string
  sources: string
  known_at_ms: number[]
}

/** Stored values, by series and area in alphabetical order, in order of time. */
export async function* bulkFundamentals(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<FundamentalColumns> {
  const bounds = await reader.unsafe<
    { series: FundamentalSeries; area: FundamentalArea; first: Temporal.Instant; last: Temporal.Instant }[]
  >(FIND_FUNDAMENTAL_BOUNDS, [])
  const { asOf } = wanted
  for (const { series, area, first, last } of bounds.filter(({ series }) => isWantedPart(wanted, series))) {
    for (const { from, to } of spansBetween(first, last, wanted)) {
      const parameters = [series, area, from.toString(), to.toString(), [...sourceIds]]
      const [row] = await (asOf === undefined
        ? reader.unsafe<FundamentalRow[]>(LIST_FUNDAMENTALS, parameters, { prepare: true })
        : reader.unsafe<FundamentalRow[]>(LIST_FUNDAMENTALS_AS_OF, [...parameters, asOf], { prepare: true }))
      if (row === undefined || row.starts_at_ms === null) continue
      yield {
        ...{ series, area, unit: row.unit, count: row.row_count, startsAtMs: row.starts_at_ms },
        ...{ resolutionMinutes: row.resolution_minutes, values: row.values },
        ...{ sourceIds: sourceList(row.sources, row.row_count), knownAtMs: row.known_at_ms },
      }
    }
  }
}

export interface BulkDailyPrice {
  asset: AssetCode
  /** YYYY-MM-DD */
  market_day: string
  /** In the asset's native unit. */
  price: number
  source_first: string
  source_last: string
  /** Null except for the PUN. */
  basis: 'intervals' | 'daily_mean' | null
}

/** By asset and day. */
export async function bulkDailyPrices(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts, asOf }: Wanted,
): Promise<BulkDailyPrice[]> {
  const parameters = [[...sourceIds], from, to, listed(parts)]
  return asOf === undefined
    ? reader.unsafe<BulkDailyPrice[]>(LIST_DAILY_PRICES, parameters)
    : reader.unsafe<BulkDailyPrice[]>(LIST_DAILY_PRICES_AS_OF, [...parameters, asOf])
}

/** As a parameter. */
export function listed(parts: Wanted['parts']): string[] | null {
  return parts === undefined ? null : [...parts]
}

export interface BulkForecast {
  asset: AssetCode
  model: string
  issued_at_ms: number
  /** YYYY-MM-DD */
  target_date: string
  horizon_days: number
  p10: number
  p50: number
  p90: number
  actual: number | null
  /** Publisher of the actual price; null without one. */
  actual_source: string | null
  chain: ForecastChain
  sequence: number
  role: string
  version: string
  /** YYYY-MM-DD */
  info_date: string
  inputs_sha256: string
  previous_hash: string
  hash: string
}

export interface BulkHourlyForecast extends Omit<BulkForecast, 'asset'> {
  zone: ZoneCode
  hour: number
  starts_at_ms: number
  issue: string
  inputs: string
}

/** The ledger in the order of its chain. */
export function bulkForecasts(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<BulkForecast[]> {
  const chunks = ledgerChunks<BulkForecast>(reader, LIST_FORECASTS, sourceIds, FORECASTS_AT_A_TIME)
  return wantedOf(chunks, wanted, ({ asset }) => asset)
}

/** The ledger of hours in the order of its chain, hour by hour. */
export function bulkHourlyForecasts(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<BulkHourlyForecast[]> {
  const chunks = ledgerChunks<BulkHourlyForecast>(reader, LIST_HOURLY_FORECASTS, sourceIds, DAYS_OF_HOURS_AT_A_TIME)
  return wantedOf(chunks, wanted, ({ zone }) => zone)
}

/** The ledgers are read whole: they are small, and their order is that of their chains. */
async function* wantedOf<Row extends { target_date: string }>(
  chunks: AsyncIterable<Row[]>,
  wanted: Wanted,
  partOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  const isWanted = (row: Row) =>
    row.target_date >= wanted.from && row.target_date <= wanted.to && isWantedPart(wanted, partOf(row))
  for await (const rows of chunks) {
    const some = rows.filter(isWanted)
    if (some.length > 0) yield some
  }
}

/** The chain of synthetic prices is exported only where there is no other: the two are never shown together. */
async function* ledgerChunks<Row extends { sequence: number }>(
  reader: Reader,
  statement: string,
  sourceIds: readonly string[],
  atATime: number,
): AsyncGenerator<Row[]> {
  for (const chain of FORECAST_CHAINS) {
    let after = 0
    for (;;) {
      const rows = await reader.unsafe<Row[]>(statement, [chain, after, [...sourceIds], atATime], { prepare: true })
      const last = rows.at(-1)
      if (last === undefined) break
      yield rows
      after = last.sequence
    }
    if (after > 0) return
  }
}

interface BulkOfferIndex {
  /** YYYY-MM-DD */
  day: string
  commodity: Commodity
  price_type: PriceType
  customer: Customer
  mean_eur_kwh: number | null
  median_eur_kwh: number | null
  min_eur_kwh: number | null
  max_eur_kwh: number | null
  offers: number
  spread_p10_eur_kwh: number | null
  spread_p25_eur_kwh: number | null
  spread_median_eur_kwh: number | null
  spread_p75_eur_kwh: number | null
  spread_p90_eur_kwh: number | null
  fee_p10_eur_month: number | null
  fee_median_eur_month: number | null
  fee_p90_eur_month: number | null
  excluded: number
  spread_mean_eur_kwh: number | null
  sources: string[]
}

/** By commodity, price type, customer and day. */
export async function bulkOfferIndices(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts }: Wanted,
): Promise<BulkOfferIndex[]> {
  return reader.unsafe<BulkOfferIndex[]>(LIST_OFFER_INDICES, [[...sourceIds], from, to, listed(parts)])
}

/** Publishers with stored values that may be redistributed in bulk. */
export async function bulkSources(reader: Reader): Promise<string[]> {
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

/** Another number after every commit that changed one of the tables. */
export async function tableVersion(reader: Reader, tables: readonly CountedTable[]): Promise<number> {
  const [row] = await reader.unsafe<{ version: number }[]>(
    'select coalesce(sum(version), 0)::bigint as version from table_versions where table_name = any ($1::text[])',
    [[...tables]],
  )
  if (row === undefined) throw new Error('a sum has a row')
  return row.version
}
