/**
 * What the bulk exports read, limited to publishers whose values may be redistributed: what one statement gives here, what is read in
 * chunks in the files beside this one.
 */
import type { AssetCode } from '../market/assets.ts'
import type { Commodity, Customer, PriceType } from '../market/offers.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql, Transaction } from './database.ts'
import { query, queryAsOf } from './sql-files.ts'
import type { PriceBand } from './zone-prices.ts'

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

const LIST_DAILY_PRICES = queryAsOf<BulkDailyPrice>('bulk_daily_prices_list')
const LIST_OFFER_INDICES = query<BulkOfferIndex>('bulk_offer_indices_list')
const LIST_BAND_MONTHS = query<BulkBandMonth>('bulk_band_months_list')

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
export async function* bulkDailyPrices(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts, asOf }: Wanted,
): AsyncGenerator<BulkDailyPrice[]> {
  yield LIST_DAILY_PRICES(reader, asOf, [...sourceIds], from, to, listed(parts))
}

export function isWantedPart({ parts }: Wanted, part: string): boolean {
  return parts === undefined || parts.includes(part)
}

/** As a parameter. */
export function listed(parts: Wanted['parts']): string[] | null {
  return parts === undefined ? null : [...parts]
}

/** `a,a,b` as `count` items; they are nearly always all the same. */
export function sourceList(text: string, count: number): string[] {
  const first = text.slice(0, (text.length + 1) / count - 1)
  return text === `${first}${`,${first}`.repeat(count - 1)}` ? new Array<string>(count).fill(first) : text.split(',')
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
export async function* bulkOfferIndices(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts }: Wanted,
): AsyncGenerator<BulkOfferIndex[]> {
  yield LIST_OFFER_INDICES(reader, [...sourceIds], from, to, listed(parts))
}

/** Means of the complete days of a month; null where none has such hours. */
type BulkBandMonth = {
  zone: ZoneCode
  /** First day, YYYY-MM-DD. */
  month: string
  days: number
  days_of_month: number
  /** Last complete day, YYYY-MM-DD. */
  last_day: string
  source_first: string
  source_last: string
} & Record<`${PriceBand}_eur_mwh`, number | null> &
  Record<`${PriceBand}_hours`, number>

/** By zone and month. */
export async function* bulkBandMonths(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts }: Wanted,
): AsyncGenerator<BulkBandMonth[]> {
  yield LIST_BAND_MONTHS(reader, [...sourceIds], from, to, listed(parts))
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
