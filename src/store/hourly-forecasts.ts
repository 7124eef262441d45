/** Issued forecasts of hours as the endpoints read them: the latest issue, the record of past ones, their errors, the heads of the chain. */

import type { ForecastChain } from '../api/contract/forecasts.ts'
import { hoursOf, type InputStep, type IssueKind } from '../market/forecast-scope.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { QuarterShape } from '../market/quarter-shape.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { type LedgerChains, ledgerChains, reasonForNone } from './forecast-ledger.ts'
import {
  type AccuracyBasis,
  type BenchmarkColumns,
  benchmarkOf,
  type ForecastErrors,
  type Nullable,
  type RecordBasis,
  type RecordOrigin,
} from './forecasts.ts'
import { query } from './sql-files.ts'

/** 23, 24 or 25 hours of a day, €/MWh. */
export interface HourlyForecastDay {
  /** YYYY-MM-DD */
  targetDate: string
  model: string
  version: string
  inputs: InputStep
  p10: number[]
  p50: number[]
  p90: number[]
}

export interface HourlyIssue {
  /** The last market day whose price was known. */
  infoDate: string
  issuedAt: Temporal.Instant
  issue: IssueKind
  /** In order. */
  days: HourlyForecastDay[]
}

/** A past forecast of a day's hours with the actual prices, once known. */
export type HourlyRecordRow = HourlyForecastDay &
  RecordOrigin & {
    issue: IssueKind
    infoDate: string
    horizonDays: number
    actual: number[] | undefined
  }

/** Percentages mean nothing for hours, whose prices are often near zero. */
export interface HourlyErrors extends Omit<ForecastErrors, 'mape' | 'mapeLeftOut'> {
  /** Days and hours that were scored. */
  days: number
}

export interface HourlyRecordSpan {
  zone: ZoneCode
  from: MarketDay
  to: MarketDay
  /** Calendar days from the last known price to the target; undefined: the shortest of each day. */
  horizonDays: number | undefined
  /** Undefined: the last of each day. */
  issue: IssueKind | undefined
}

/** The hours of a day whose prices are known. */
export interface ScoredHours {
  targetDate: string
  p10: number[]
  p50: number[]
  p90: number[]
  actual: number[]
  /** Medians of the naive forecast. */
  benchmark: number[] | undefined
}

export interface HourlyForecastStore extends LedgerChains {
  latestIssue(chain: ForecastChain, zone: ZoneCode): Promise<HourlyIssue | undefined>
  /** What was last replayed from the prices up to that day; `issuedAt` is when it was computed. */
  replayedIssue(chain: ForecastChain, zone: ZoneCode, infoDate: string): Promise<HourlyIssue | undefined>
  /** By target day, in order. */
  records(chain: ForecastChain, span: HourlyRecordSpan, basis: RecordBasis): Promise<HourlyRecordRow[]>
  /** Of the latest `days` scored days of the span, or of all; undefined where none is scored. */
  errors(
    chain: ForecastChain,
    span: HourlyRecordSpan,
    of: { basis: AccuracyBasis; days?: number },
  ): Promise<HourlyErrors | undefined>
  /** By target day, in order, at the shortest horizon of each. */
  scored(
    chain: ForecastChain,
    span: Pick<HourlyRecordSpan, 'zone' | 'from' | 'to'>,
    basis: AccuracyBasis,
  ): Promise<ScoredHours[]>
  /** How the quarter-hours of the zone lie about their hour, as last learned. */
  quarterShape(chain: ForecastChain, zone: ZoneCode): Promise<QuarterShape | undefined>
  /** Why there is no forecast, according to the last attempt to issue one. */
  missing(zone: ZoneCode): Promise<string | undefined>
}

type IssueRow = Omit<HourlyIssue, 'days'> & HourlyForecastDay
const FIND_LATEST = query<IssueRow>('hourly_forecasts_find_latest_issue')
const FIND_REPLAYED = query<IssueRow>('hourly_forecasts_find_replayed_issue')
const LIST_RECORDS = query<Nullable<HourlyRecordRow>>('hourly_forecasts_list_records')
const SUMMARISE = query<ErrorsRow>('hourly_forecasts_summarise_errors')
const LIST_SCORED = query<Omit<ScoredHours, 'benchmark'> & { benchmark: number[] | null }>(
  'hourly_forecasts_list_scored',
)

interface ErrorsRow extends BenchmarkColumns {
  days: number
  n: number
  mae: number
  bias: number
  coverage_80: number
  pinball: number
  rmae: number | null
}

export function hourlyForecastStore(sql: Sql): HourlyForecastStore {
  const parametersOf = (chain: ForecastChain, { zone, from, to, horizonDays, issue }: HourlyRecordSpan) => [
    ...[chain, zone, from.toString(), to.toString()],
    ...[horizonDays ?? null, issue ?? null],
  ]
  return {
    ...ledgerChains(sql, 'hourly_forecasts'),

    async latestIssue(chain, zone) {
      return issueOf(await FIND_LATEST(sql, chain, zone))
    },

    async replayedIssue(chain, zone, infoDate) {
      return issueOf(await FIND_REPLAYED(sql, chain, zone, infoDate))
    },

    async records(chain, span, basis) {
      const rows = await LIST_RECORDS(sql, ...parametersOf(chain, span), basis)
      return rows.map((row) => ({ ...row, actual: row.actual ?? undefined }) as HourlyRecordRow)
    },

    async errors(chain, span, { basis, days }) {
      const [row] = await SUMMARISE(sql, ...parametersOf(chain, span), days ?? null, basis)
      return row === undefined || row.n === 0 ? undefined : errorsOf(row)
    },

    async scored(chain, { zone, from, to }, basis) {
      const rows = await LIST_SCORED(sql, chain, zone, from.toString(), to.toString(), basis)
      return rows.map((row) => ({ ...row, benchmark: row.benchmark ?? undefined }))
    },

    async quarterShape(chain, zone) {
      const [row] = await sql<QuarterShape[]>`
        select learned_to as "learnedTo", days, slopes, offsets from quarter_shapes
        where zone = ${zone} and synthetic = ${chain === 'sample'} order by learned_to desc limit 1`
      return row
    },

    missing: (zone) => reasonForNone(sql, hoursOf(zone)),
  }
}

/** All rows are of one issue. */
function issueOf(rows: readonly IssueRow[]): HourlyIssue | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { infoDate, issuedAt, issue } = first
  return { infoDate, issuedAt, issue, days: [...rows] }
}

function errorsOf(row: ErrorsRow): HourlyErrors {
  return {
    days: row.days,
    n: row.n,
    mae: row.mae,
    bias: row.bias,
    coverage80: row.coverage_80,
    pinball: row.pinball,
    rmae: row.rmae ?? undefined,
    benchmark: benchmarkOf(row),
  }
}
