/** The daily indices and statistics of the free market's offers, and the averages they are compared with. Computed in SQL. */

import type { MarketDay } from '../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../market/offers.ts'
import { incrementDataVersion } from './data-version.ts'
import type { Sql } from './database.ts'
import { query, queryText } from './sql-files.ts'

/** Average of a wholesale index over some days, €/kWh. */
export interface ReferenceAverage {
  asset: 'PUN' | 'PSV'
  /** YYYY-MM-DD, inclusive. */
  from: string
  to: string
  eurKwh: number
}

/** The active offers of one commodity, price type and customer on a day. Prices and spreads in €/kWh, fees in €/month. */
export interface OfferCell {
  /** YYYY-MM-DD */
  day: string
  commodity: Commodity
  priceType: PriceType
  customer: Customer
  offers: number
  excluded: number
  /** Undefined for variable offers while there is no reference. */
  prices: { mean: number; median: number; min: number; max: number } | undefined
  reference: ReferenceAverage | undefined
  /** Undefined for fixed offers while there is no reference. */
  spreads: { mean: number; p10: number; p25: number; median: number; p75: number; p90: number } | undefined
  /** Undefined if too few offers state a fee. */
  fees: { p10: number; median: number; p90: number } | undefined
  /** Publishers of the offers. */
  sourceIds: string[]
  /** Publishers of the reference's prices. */
  referenceSourceIds: string[]
}

export interface OfferIndexStore {
  /** Returns the cells of each commodity's latest publication not after that day. */
  latestCells(notAfter: MarketDay): Promise<OfferCell[]>
  /** Returns the last full month of the commodity's index before that day; undefined if none of the last three is full. */
  lastFullMonth(
    commodity: Commodity,
    day: MarketDay,
  ): Promise<{ average: ReferenceAverage; sourceIds: string[] } | undefined>
}

const LIST_LATEST = query<CellRow>('offer_index_days_list_latest')
const FIND_REFERENCE = query<ReferenceRow>('offer_references_find_month')

interface CellRow {
  day: string
  commodity: Commodity
  price_type: PriceType
  customer: Customer
  offers: number
  excluded: number
  mean_eur_kwh: number | null
  median_eur_kwh: number
  min_eur_kwh: number
  max_eur_kwh: number
  reference_asset: 'PUN' | 'PSV'
  reference_from: string
  reference_to: string
  reference_eur_kwh: number | null
  spread_mean_eur_kwh: number | null
  spread_p10_eur_kwh: number
  spread_p25_eur_kwh: number
  spread_median_eur_kwh: number
  spread_p75_eur_kwh: number
  spread_p90_eur_kwh: number
  fee_p10_eur_month: number | null
  fee_median_eur_month: number
  fee_p90_eur_month: number
  sources: string[]
  reference_sources: string[]
}

interface ReferenceRow {
  asset: 'PUN' | 'PSV'
  first_day: string
  last_day: string
  eur_kwh: number
  sources: string[]
}

export function offerIndexStore(sql: Sql): OfferIndexStore {
  return {
    async latestCells(notAfter) {
      const rows = await LIST_LATEST(sql, notAfter)
      return rows.map(cellOf)
    },

    async lastFullMonth(commodity, day) {
      const [row] = await FIND_REFERENCE(sql, commodity, day)
      if (row === undefined) return undefined
      const { asset, first_day: from, last_day: to, eur_kwh: eurKwh, sources } = row
      return { average: { asset, from, to, eurKwh }, sourceIds: sources }
    },
  }
}

function cellOf(row: CellRow): OfferCell {
  return {
    day: row.day,
    commodity: row.commodity,
    priceType: row.price_type,
    customer: row.customer,
    offers: row.offers,
    excluded: row.excluded,
    prices:
      row.mean_eur_kwh === null
        ? undefined
        : { mean: row.mean_eur_kwh, median: row.median_eur_kwh, min: row.min_eur_kwh, max: row.max_eur_kwh },
    reference:
      row.reference_eur_kwh === null
        ? undefined
        : {
            asset: row.reference_asset,
            from: row.reference_from,
            to: row.reference_to,
            eurKwh: row.reference_eur_kwh,
          },
    spreads:
      row.spread_mean_eur_kwh === null
        ? undefined
        : {
            mean: row.spread_mean_eur_kwh,
            p10: row.spread_p10_eur_kwh,
            p25: row.spread_p25_eur_kwh,
            median: row.spread_median_eur_kwh,
            p75: row.spread_p75_eur_kwh,
            p90: row.spread_p90_eur_kwh,
          },
    fees:
      row.fee_p10_eur_month === null
        ? undefined
        : { p10: row.fee_p10_eur_month, median: row.fee_median_eur_month, p90: row.fee_p90_eur_month },
    sourceIds: row.sources,
    referenceSourceIds: row.reference_sources,
  }
}

/** A commodity's day of offers. */
interface IndexDay {
  /** YYYY-MM-DD */
  day: string
  commodity: Commodity
}

const LIST_STALE = queryText('offer_index_days_list_stale')

/** Days whose indices are out of date with respect to offers and prices, latest first. */
export async function staleOfferDays(sql: Sql): Promise<IndexDay[]> {
  return sql.unsafe<IndexDay[]>(LIST_STALE)
}

/** Recomputes all indices of a day. */
export async function computeOfferDay(sql: Sql, { day, commodity }: IndexDay, at: Temporal.Instant): Promise<void> {
  await sql`select store_offer_index_day(${day}::date, ${commodity}, ${at}::timestamptz)`
}

/** Updates the history, latest days first, and invalidates cached answers; returns the number of days. */
export async function refreshOfferIndices(sql: Sql, at: Temporal.Instant, signal?: AbortSignal): Promise<number> {
  const days = await staleOfferDays(sql)
  for (const day of days) {
    signal?.throwIfAborted()
    await computeOfferDay(sql, day, at)
  }
  if (days.length > 0) await incrementDataVersion(sql)
  return days.length
}
