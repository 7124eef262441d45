/** Issued forecasts as the endpoints read them: the latest issue, the record of past ones, their errors, the heads of the chain. */

import type { ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { type LedgerChains, ledgerChains, reasonForNone } from './forecast-ledger.ts'
import { query } from './sql-files.ts'

/** €/MWh; dates are YYYY-MM-DD. */
export interface ForecastPoint {
  targetDate: string
  horizonDays: number
  p10: number
  p50: number
  p90: number
}

export interface ForecastIssue {
  /** The last market day whose price was known. */
  infoDate: string
  issuedAt: Temporal.Instant
  model: string
  version: string
  /** In order of day. */
  points: ForecastPoint[]
}

/** `live`: as it was issued, a row of the ledger. `replay`: made afterwards, so it has no place in the chain. */
export type RecordOrigin =
  | ({ basis: 'live'; issuedAt: Temporal.Instant } & ChainPlace)
  | { basis: 'replay'; asOf: Temporal.Instant; madeAt: Temporal.Instant }

interface ChainPlace {
  sequence: number
  inputsSha256: string
  previousHash: string
  hash: string
}

/** A past forecast with the actual price, once known. */
export type ForecastRecord = ForecastPoint &
  RecordOrigin & {
    model: string
    version: string
    infoDate: string
    actual: number | undefined
  }

/** Which past forecasts are read; of both, the issued one where a day has one. */
export type RecordBasis = RecordOrigin['basis'] | 'all'

interface QuantileErrors {
  mae: number
  coverage80: number
  pinball: number
}

export interface ForecastErrors extends QuantileErrors {
  /** Days that were scored. */
  n: number
  /** Undefined where every price was within 1 €/MWh of zero. */
  mape: number | undefined
  /** Days left out of `mape`, their price being within 1 €/MWh of zero. */
  mapeLeftOut: number
  /** Mean of forecast less price. */
  bias: number
  /** `mae` as a share of the benchmark's on the same days. */
  rmae: number | undefined
  benchmark: (QuantileErrors & { name: string }) | undefined
}

/** Issued forecasts, or replayed ones; never both in one figure. */
export type AccuracyBasis = 'issued' | 'replay'

export interface RecordSpan {
  from: MarketDay
  to: MarketDay
  /** Calendar days from the last known price to the target; undefined: the shortest of each day. */
  horizonDays: number | undefined
}

/** What an issue said of a day. */
export interface DayForecast extends Omit<ForecastPoint, 'targetDate'> {
  /** The last market day whose price was known. */
  infoDate: string
  issuedAt: Temporal.Instant
  model: string
  basis: AccuracyBasis
}

/** A forecast whose price is known. */
interface ScoredForecast {
  targetDate: string
  p10: number
  p50: number
  p90: number
  actual: number
  /** Median of the naive forecast of the same issue. */
  benchmark: number | undefined
}

export interface ForecastStore extends LedgerChains {
  latestIssue(chain: ForecastChain, asset: AssetCode): Promise<ForecastIssue | undefined>
  /** The curve that a replay made from the prices up to that day; `issuedAt` is when it was computed. */
  replayedIssue(chain: ForecastChain, asset: AssetCode, infoDate: string): Promise<ForecastIssue | undefined>
  /** By target day, in order. */
  records(chain: ForecastChain, asset: AssetCode, span: RecordSpan, basis: RecordBasis): Promise<ForecastRecord[]>
  /** Of the latest `days` scored days of the span, or of all; undefined where none is scored. */
  errors(
    chain: ForecastChain,
    asset: AssetCode,
    span: RecordSpan,
    of: { basis: AccuracyBasis; days?: number },
  ): Promise<ForecastErrors | undefined>
  /** What was said of a day, an issue each, by info date; a replay where none was issued. */
  ofDay(chain: ForecastChain, asset: AssetCode, day: MarketDay, horizonDaysMax: number): Promise<DayForecast[]>
  /** The curve of an info date, in order of day; that of a replay where none was issued. */
  issuedFrom(
    chain: ForecastChain,
    asset: AssetCode,
    infoDate: MarketDay,
    horizonDaysMax: number,
  ): Promise<ForecastPoint[]>
  /** By target day, in order. */
  scored(chain: ForecastChain, asset: AssetCode, span: RecordSpan, basis: AccuracyBasis): Promise<ScoredForecast[]>
  /** Why there is no forecast, according to the last attempt to issue one. */
  missing(asset: AssetCode): Promise<string | undefined>
  /** The last training of each index and of the hours of each zone. */
  trainings(): Promise<{ subject: string; begunAt: Temporal.Instant; endedAt: Temporal.Instant | null }[]>
}

const FIND_LATEST = query<IssueRow>('forecasts_find_latest_issue')
const FIND_REPLAYED = query<IssueRow>('forecasts_find_replayed_issue')
const LIST_RECORDS = query<Nullable<ForecastRecord>>('forecasts_list_records')
const SUMMARISE = query<ErrorsRow>('forecasts_summarise_errors')
const LIST_OF_DAY = query<DayForecast>('forecasts_list_of_day')
const LIST_ISSUED_FROM = query<ForecastPoint>('forecasts_list_issued_from')
const LIST_SCORED = query<Omit<ScoredForecast, 'benchmark'> & { benchmark: number | null }>('forecasts_list_scored')

export function forecastStore(sql: Sql): ForecastStore {
  return {
    ...ledgerChains(sql, 'forecasts'),

    async latestIssue(chain, asset) {
      const [row] = await FIND_LATEST(sql, chain, asset)
      return row && issueOf(row)
    },

    async replayedIssue(chain, asset, infoDate) {
      const [row] = await FIND_REPLAYED(sql, chain, asset, infoDate)
      return row && issueOf(row)
    },

    async records(chain, asset, { from, to, horizonDays }, basis) {
      const rows = await LIST_RECORDS(sql, chain, asset, from.toString(), to.toString(), horizonDays ?? null, basis)
      return rows.map((row) => ({ ...row, actual: row.actual ?? undefined }) as ForecastRecord)
    },

    async errors(chain, asset, { from, to, horizonDays }, { basis, days }) {
      const [row] = await SUMMARISE(
        sql,
        chain,
        asset,
        from.toString(),
        to.toString(),
        horizonDays ?? null,
        days ?? null,
        basis,
      )
      return row === undefined || row.n === 0 ? undefined : errorsOf(row)
    },

    async ofDay(chain, asset, day, horizonDaysMax) {
      return LIST_OF_DAY(sql, chain, asset, day.toString(), horizonDaysMax)
    },

    async issuedFrom(chain, asset, infoDate, horizonDaysMax) {
      return LIST_ISSUED_FROM(sql, chain, asset, infoDate.toString(), horizonDaysMax)
    },

    async scored(chain, asset, { from, to, horizonDays }, basis) {
      const rows = await LIST_SCORED(sql, chain, asset, from.toString(), to.toString(), horizonDays ?? null, basis)
      return rows.map((row) => ({ ...row, benchmark: row.benchmark ?? undefined }))
    },

    missing: (asset) => reasonForNone(sql, asset),

    async trainings() {
      return await sql<Awaited<ReturnType<ForecastStore['trainings']>>>`
        select asset as subject, begun_at as "begunAt", ended_at as "endedAt" from forecast_trainings`
    },
  }
}

/** As it comes from the database, where an actual price that is not known yet is null. */
export type Nullable<Row extends { actual: unknown }> = Row extends unknown
  ? Omit<Row, 'actual'> & { actual: NonNullable<Row['actual']> | null }
  : never

interface IssueRow {
  info_date: string
  issued_at: Temporal.Instant
  model: string
  version: string
  target_dates: string[]
  horizons: number[]
  p10: number[]
  p50: number[]
  p90: number[]
}

function issueOf(row: IssueRow): ForecastIssue {
  const at = (values: number[], i: number) => values[i] as number
  return {
    infoDate: row.info_date,
    issuedAt: row.issued_at,
    model: row.model,
    version: row.version,
    points: row.target_dates.map((targetDate, i) => ({
      targetDate,
      horizonDays: at(row.horizons, i),
      p10: at(row.p10, i),
      p50: at(row.p50, i),
      p90: at(row.p90, i),
    })),
  }
}

export interface BenchmarkColumns {
  benchmark: string | null
  benchmark_mae: number | null
  benchmark_coverage_80: number | null
  benchmark_pinball: number | null
}

interface ErrorsRow extends BenchmarkColumns {
  n: number
  mae: number
  mape: number | null
  mape_left_out: number
  bias: number
  coverage_80: number
  pinball: number
  rmae: number | null
}

function errorsOf(row: ErrorsRow): ForecastErrors {
  return {
    n: row.n,
    mae: row.mae,
    mape: row.mape ?? undefined,
    mapeLeftOut: row.mape_left_out,
    bias: row.bias,
    coverage80: row.coverage_80,
    pinball: row.pinball,
    rmae: row.rmae ?? undefined,
    benchmark: benchmarkOf(row),
  }
}

/** Undefined where there is none. */
export function benchmarkOf(row: BenchmarkColumns): ForecastErrors['benchmark'] {
  const { benchmark: name, benchmark_mae: mae, benchmark_coverage_80: coverage80, benchmark_pinball: pinball } = row
  if (name === null || mae === null || coverage80 === null || pinball === null) return undefined
  return { name, mae, coverage80, pinball }
}
