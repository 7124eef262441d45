/** What the bulk exports read of the ledgers of forecasts, in the order of their chains. */
import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import type { ZoneCode } from '../market/zones.ts'
import { isWantedPart, type Reader, type Wanted } from './bulk-rows.ts'
import { query } from './sql-files.ts'

const FORECASTS_AT_A_TIME = 5_000
const DAYS_OF_HOURS_AT_A_TIME = 500

const LIST_FORECASTS = query<BulkForecast>('bulk_forecasts_list')
const LIST_HOURLY_FORECASTS = query<BulkHourlyForecast>('bulk_hourly_forecasts_list')

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

interface BulkHourlyForecast extends Omit<BulkForecast, 'asset'> {
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
  const chunks = ledgerChunks(reader, LIST_FORECASTS, sourceIds, FORECASTS_AT_A_TIME)
  return wantedOf(chunks, wanted, ({ asset }) => asset)
}

/** The ledger of hours in the order of its chain, hour by hour. */
export function bulkHourlyForecasts(
  reader: Reader,
  sourceIds: readonly string[],
  wanted: Wanted,
): AsyncGenerator<BulkHourlyForecast[]> {
  const chunks = ledgerChunks(reader, LIST_HOURLY_FORECASTS, sourceIds, DAYS_OF_HOURS_AT_A_TIME)
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
  for await (const rows of chunks) yield rows.filter(isWanted)
}

/** The chain of synthetic prices is exported only where there is no other: the two are never shown together. */
async function* ledgerChunks<Row extends { sequence: number }>(
  reader: Reader,
  list: ReturnType<typeof query<Row>>,
  sourceIds: readonly string[],
  atATime: number,
): AsyncGenerator<Row[]> {
  for (const chain of FORECAST_CHAINS) {
    let after = 0
    for (;;) {
      const rows = await list(reader, chain, after, [...sourceIds], atATime)
      const last = rows.at(-1)
      if (last === undefined) break
      yield rows
      after = last.sequence
    }
    if (after > 0) return
  }
}
