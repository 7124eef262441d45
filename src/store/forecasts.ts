/**
 * Issued forecasts as the endpoints read them: the latest issue, the record of past ones, their errors, the heads of the chain. An index
 * has one value per day, a zone one per hour; both are read in the same way, each from its own tables and queries.
 */

import type { ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import { type HoursOfZone, hoursOf, type InputStep, type IssueKind } from '../market/forecast-scope.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { QuarterShape } from '../market/quarter-shape.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { type LedgerChains, ledgerChains, noForecastReason } from './forecast-ledger.ts'
import { query, queryOfHours, type RowOf, withoutNulls } from './sql-files.ts'

type Values = number | number[]

/** €/MWh. */
interface QuantileValues<Of extends Values> {
  /** YYYY-MM-DD */
  targetDate: string
  p10: Of
  p50: Of
  p90: Of
}

export interface ForecastPoint extends QuantileValues<number> {
  horizonDays: number
}

/** 23, 24 or 25 hours of a day. */
export interface HourlyForecastDay extends QuantileValues<number[]> {
  model: string
  version: string
  inputs: InputStep
}

export interface IssueOf<Point> {
  /** The last market day whose price was known. */
  infoDate: string
  issuedAt: Temporal.Instant
  /** In order of day. */
  points: Point[]
}

export interface ForecastIssue extends IssueOf<ForecastPoint> {
  model: string
  version: string
}

export interface HourlyIssue extends IssueOf<HourlyForecastDay> {
  issue: IssueKind
}

/** `live`: as issued, a row of the ledger. `replay`: made afterwards, and therefore not in the chain. */
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
  RecordOrigin & { model: string; version: string; infoDate: string; actual: number | undefined }

/** A past forecast of a day's hours with the actual prices, once known. */
export type HourlyRecordRow = HourlyForecastDay &
  RecordOrigin & { issue: IssueKind; infoDate: string; horizonDays: number; actual: number[] | undefined }

/** Basis of past forecasts; `all` prefers the issued forecast of a day to a replay. */
export type RecordBasis = RecordOrigin['basis'] | 'all'

interface QuantileErrors {
  mae: number
  coverage80: number
  pinball: number
}

interface ErrorFigures extends QuantileErrors {
  days: number
  /** Number of scored values: days, or hours. */
  n: number
  /** Mean of forecast minus price. */
  bias: number
  /** `mae` as a share of the benchmark's `mae` on the same days. */
  rmae: number | undefined
  benchmark: (QuantileErrors & { name: string }) | undefined
}

export interface ForecastErrors extends ErrorFigures {
  /** Undefined if every price was within 1 €/MWh of zero. */
  mape: number | undefined
  /** Days excluded from `mape` because their price is within 1 €/MWh of zero. */
  mapeLeftOut: number
}

/** Without percentages, which are meaningless for hours: their prices are often near zero. */
export type HourlyErrors = ErrorFigures

/** Issued forecasts, or replayed ones; never both in one figure. */
export type AccuracyBasis = 'issued' | 'replay'

export interface RecordSpan {
  from: MarketDay
  to: MarketDay
  /** Calendar days from the last known price to the target; undefined: the shortest horizon of each day. */
  horizonDays: number | undefined
}

export interface HourlyRecordSpan extends RecordSpan {
  /** Undefined: the last issue of each day. */
  issue: IssueKind | undefined
}

/** One issue's forecast of a day. */
export interface DayForecast extends Omit<ForecastPoint, 'targetDate'> {
  /** The last market day whose price was known. */
  infoDate: string
  issuedAt: Temporal.Instant
  model: string
  basis: AccuracyBasis
}

/** A forecast whose price is known. */
interface Scored<Of extends Values> extends QuantileValues<Of> {
  actual: Of
  /** Median of the naive forecast of the same issue. */
  benchmark: Of | undefined
}

export type ScoredHours = Scored<number[]>

/** What differs between the forecasts of days and of hours. */
interface Kind {
  /** Names an index or a zone. */
  code: unknown
  issue: unknown
  record: unknown
  span: RecordSpan
  errors: unknown
  values: Values
}

interface DayKind extends Kind {
  code: AssetCode
  issue: ForecastIssue
  record: ForecastRecord
  errors: ForecastErrors
  values: number
}

interface HourKind extends Kind {
  code: ZoneCode
  issue: HourlyIssue
  record: HourlyRecordRow
  span: HourlyRecordSpan
  errors: HourlyErrors
  values: number[]
}

export interface ForecastReader<Of extends Kind> extends LedgerChains {
  latestIssue(chain: ForecastChain, code: Of['code']): Promise<Of['issue'] | undefined>
  /** Returns the last replay from the prices up to that day; `issuedAt` is when it was computed. */
  replayedIssue(chain: ForecastChain, code: Of['code'], infoDate: string): Promise<Of['issue'] | undefined>
  /** Ordered by target day. */
  records(chain: ForecastChain, code: Of['code'], span: Of['span'], basis: RecordBasis): Promise<Of['record'][]>
  /** Returns the errors over the latest `days` scored days of the span, or over all; undefined if none is scored. */
  errors(
    chain: ForecastChain,
    code: Of['code'],
    span: Of['span'],
    of: { basis: AccuracyBasis; days?: number },
  ): Promise<Of['errors'] | undefined>
  /** Ordered by target day. */
  scored(
    chain: ForecastChain,
    code: Of['code'],
    span: Of['span'],
    basis: AccuracyBasis,
  ): Promise<Scored<Of['values']>[]>
  /** Returns why there is no forecast, according to the last attempt to issue one. */
  missing(code: Of['code']): Promise<string | undefined>
}

export interface ForecastStore extends ForecastReader<DayKind> {
  /** Returns all forecasts of a day, one per issue, by info date; a replay if none was issued. */
  ofDay(chain: ForecastChain, asset: AssetCode, day: MarketDay, horizonDaysMax: number): Promise<DayForecast[]>
  /** Returns the curve of an info date, ordered by day; that of a replay if none was issued. */
  issuedFrom(
    chain: ForecastChain,
    asset: AssetCode,
    infoDate: MarketDay,
    horizonDaysMax: number,
  ): Promise<ForecastPoint[]>
  /** Returns the last training of each index and of the hours of each zone. */
  trainings(): Promise<{ subject: string; begunAt: Temporal.Instant; endedAt: Temporal.Instant | null }[]>
}

export interface HourlyForecastStore extends ForecastReader<HourKind> {
  /** Returns how the zone's quarter-hours deviate from their hour, as last learned. */
  quarterShape(chain: ForecastChain, zone: ZoneCode): Promise<QuarterShape | undefined>
}

const LIST_OF_DAY = query<DayForecast>('forecasts_list_of_day')
const LIST_ISSUED_FROM = query<ForecastPoint>('forecasts_list_issued_from')

export function forecastStore(sql: Sql): ForecastStore {
  return {
    ...createReader<DayKind>(sql, 'forecasts', {
      subject: (asset) => asset,
      issue: ([first, ...others]) => {
        const { infoDate, issuedAt, model, version } = first
        const points = [first, ...others].map(({ targetDate, horizonDays, p10, p50, p90 }) => {
          return { targetDate, horizonDays, p10, p50, p90 }
        })
        return { infoDate, issuedAt, model, version, points }
      },
      errors: (errors) => errors,
      filters: () => [],
    }),

    async ofDay(chain, asset, day, horizonDaysMax) {
      return LIST_OF_DAY(sql, chain, asset, day, horizonDaysMax)
    },

    async issuedFrom(chain, asset, infoDate, horizonDaysMax) {
      return LIST_ISSUED_FROM(sql, chain, asset, infoDate, horizonDaysMax)
    },

    async trainings() {
      return await sql<Awaited<ReturnType<ForecastStore['trainings']>>>`
        select asset as subject, begun_at as "begunAt", ended_at as "endedAt" from forecast_trainings`
    },
  }
}

export function hourlyForecastStore(sql: Sql): HourlyForecastStore {
  return {
    ...createReader<HourKind>(sql, 'hourly_forecasts', {
      subject: hoursOf,
      issue: ([first, ...others]) => {
        const { infoDate, issuedAt, issue } = first
        return { infoDate, issuedAt, issue, points: [first, ...others] }
      },
      errors: ({ mape: _, mapeLeftOut: __, ...errors }) => errors,
      filters: ({ issue }) => [issue ?? null],
    }),

    async quarterShape(chain, zone) {
      const [row] = await sql<QuarterShape[]>`
        select learned_to as "learnedTo", days, slopes, offsets from quarter_shapes
        where zone = ${zone} and synthetic = ${chain === 'sample'} order by learned_to desc limit 1`
      return row
    },
  }
}

/** A day of an issue as returned by the database. */
type IssueRow<Issue> = Issue extends IssueOf<infer Point> ? Omit<Issue, 'points'> & Point : never

/** Differences between days and hours, apart from tables and queries. */
interface Grid<Of extends Kind> {
  subject(code: Of['code']): AssetCode | HoursOfZone
  /** All rows belong to one issue. */
  issue(rows: [IssueRow<Of['issue']>, ...IssueRow<Of['issue']>[]]): Of['issue']
  errors(errors: ForecastErrors): Of['errors']
  /** Query parameters that follow those common to both. */
  filters(span: Of['span']): (string | null)[]
}

function createReader<Of extends DayKind | HourKind>(
  sql: Sql,
  ledger: 'forecasts' | 'hourly_forecasts',
  { subject, issue, errors, filters }: Grid<Of>,
): ForecastReader<Of> {
  const { findLatest, findReplayed, listRecords, summarise, listScored } = QUERIES[ledger]
  const issueOf = (rows: object[]) => (rows.length === 0 ? undefined : issue(rows as Parameters<typeof issue>[0]))
  const spanOf = ({ from, to, horizonDays }: RecordSpan) => [from, to, horizonDays ?? null] as const
  return {
    ...ledgerChains(sql, ledger),
    latestIssue: async (chain, code) => issueOf(await findLatest(sql, chain, code)),
    replayedIssue: async (chain, code, infoDate) => issueOf(await findReplayed(sql, chain, code, infoDate)),

    async records(chain, code, span, basis) {
      const rows = await listRecords(sql, basis, chain, code, ...spanOf(span), ...filters(span))
      return rows.map((row) => ({ ...row, actual: row.actual ?? undefined }) as Of['record'])
    },

    async errors(chain, code, span, { basis, days }) {
      const [row] = await summarise(
        sql,
        recordBasis(basis),
        chain,
        code,
        ...spanOf(span),
        days ?? null,
        ...filters(span),
      )
      return row === undefined || row.n === 0 ? undefined : errors(withoutNulls(row))
    },

    async scored(chain, code, span, basis) {
      const rows = await listScored(sql, recordBasis(basis), chain, code, ...spanOf(span), ...filters(span))
      return rows.map((row) => ({ ...row, benchmark: row.benchmark ?? undefined }) as Scored<Of['values']>)
    },

    missing: (code) => noForecastReason(sql, subject(code)),
  }
}

/** Returns the basis of records: `issued` in an answer is `live` in a record. */
export function recordBasis(basis: AccuracyBasis): RecordOrigin['basis'] {
  return basis === 'issued' ? 'live' : 'replay'
}

const QUERIES = {
  forecasts: queriesOf('forecasts', query),
  hourly_forecasts: queriesOf('hourly_forecasts', queryOfHours),
}

function queriesOf(ledger: 'forecasts' | 'hourly_forecasts', of: typeof query) {
  return {
    findLatest: query<object>(`${ledger}_find_latest_issue`),
    findReplayed: query<object>(`${ledger}_find_replayed_issue`),
    listRecords: of<{ actual: Values | null }>('forecasts_list_records'),
    summarise: of<RowOf<ForecastErrors>>('forecasts_summarise_errors'),
    listScored: of<{ benchmark: Values | null }>('forecasts_list_scored'),
  }
}
