/** Spreads, volatility and correlations, computed in SQL. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { sourceIdsOf } from './prices.ts'
import { query } from './sql-files.ts'

/** Prices in native units; missing ones are undefined. */
export interface StoredVitals {
  pun: number | undefined
  psv: DatedPrice | undefined
  ttf: DatedPrice | undefined
  co2: DatedPrice | undefined
  /** Undefined if one of the required prices is. */
  sparkSpread: number | undefined
  cleanSparkSpread: number | undefined
  psvTtfSpread: number | undefined
  /** Undefined if there is too little history. */
  averageTrueRange: { pun: number | undefined; psv: number | undefined }
  sourceIds: string[]
}

export interface DatedPrice {
  /** YYYY-MM-DD */
  date: string
  value: number
}

interface Plant {
  efficiency: number
  emissionFactorTonnesMwh: number
}

export interface PairCorrelation {
  a: AssetCode
  b: AssetCode
  /** Number of pairs of returns used. */
  returns: number
  /** Undefined if one of the two did not move, or there are fewer than two returns. */
  correlation: number | undefined
}

export interface StoredCorrelations {
  /** The latest day that every index has reached, YYYY-MM-DD. */
  lastDay: string
  /** Each unordered pair once, including each index with itself; pairs with no day in common are omitted. */
  pairs: PairCorrelation[]
  sourceIds: string[]
}

export interface TradingStore {
  vitals(day: MarketDay, plant: Plant): Promise<StoredVitals>
  /** Returns the latest day, not after `notAfter`, for which all prices of the vitals are known. */
  latestVitalsDay(notAfter: MarketDay): Promise<string | undefined>
  /** Undefined if one of the indices has no prices at all. */
  correlations(
    assets: readonly AssetCode[],
    windowDays: number,
    notAfter: MarketDay,
  ): Promise<StoredCorrelations | undefined>
}

const FIND_VITALS = query<VitalsRow>('trading_find_vitals')
const FIND_LATEST_VITALS_DAY = query<{ latest: string | null }>('trading_find_latest_vitals_day')
const LIST_CORRELATIONS = query<CorrelationRow>('trading_list_correlations')

interface VitalsRow {
  pun: number | null
  psv: number | null
  psv_day: string | null
  ttf: number | null
  ttf_day: string | null
  co2: number | null
  co2_day: string | null
  spark_spread: number | null
  clean_spark_spread: number | null
  psv_ttf_spread: number | null
  atr_14d_pun: number | null
  atr_14d_psv: number | null
  sources: string[]
}

interface CorrelationRow {
  last_day: string | null
  asset_a: AssetCode | null
  asset_b: AssetCode | null
  returns: number | null
  correlation: number | null
  sources: string[] | null
}

export function tradingStore(sql: Sql): TradingStore {
  return {
    async vitals(day, { efficiency, emissionFactorTonnesMwh }) {
      const [row] = await FIND_VITALS(sql, day, efficiency, emissionFactorTonnesMwh)
      if (row === undefined) throw new Error('trading_vitals gave no row')
      return storedVitals(row)
    },

    async latestVitalsDay(notAfter) {
      const [row] = await FIND_LATEST_VITALS_DAY(sql, notAfter)
      return row?.latest ?? undefined
    },

    async correlations(assets, windowDays, notAfter) {
      const rows = await LIST_CORRELATIONS(sql, [...assets], windowDays, notAfter)
      const [first] = rows
      if (first === undefined || first.last_day === null) return undefined
      return {
        lastDay: first.last_day,
        pairs: rows.flatMap(pairCorrelation),
        sourceIds: sourceIdsOf(rows),
      }
    },
  }
}

function storedVitals(row: VitalsRow): StoredVitals {
  return {
    pun: row.pun ?? undefined,
    psv: datedPrice(row.psv, row.psv_day),
    ttf: datedPrice(row.ttf, row.ttf_day),
    co2: datedPrice(row.co2, row.co2_day),
    sparkSpread: row.spark_spread ?? undefined,
    cleanSparkSpread: row.clean_spark_spread ?? undefined,
    psvTtfSpread: row.psv_ttf_spread ?? undefined,
    averageTrueRange: { pun: row.atr_14d_pun ?? undefined, psv: row.atr_14d_psv ?? undefined },
    sourceIds: sourceIdsOf([row]),
  }
}

function datedPrice(value: number | null, date: string | null): DatedPrice | undefined {
  return value === null || date === null ? undefined : { date, value }
}

function pairCorrelation({ asset_a: a, asset_b: b, returns, correlation }: CorrelationRow): PairCorrelation[] {
  if (a === null || b === null || returns === null) return []
  return [{ a, b, returns, correlation: correlation ?? undefined }]
}
