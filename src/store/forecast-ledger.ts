/** The ledger of forecasts: the only writer of it, and its rows in the order of the chain. The rules are in sql/objects/forecast_issue.sql. */

import type { ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import type { LedgerRow } from '../market/ledger.ts'
import type { Sql, Transaction } from './database.ts'
import { rowsOfChains } from './ledger-chains.ts'

export type ForecastRole = 'published' | 'benchmark'

/** €/MWh; dates are YYYY-MM-DD. */
export interface NewForecast {
  role: ForecastRole
  model: string
  version: string
  targetDate: string
  p10: number
  p50: number
  p90: number
}

interface NewIssue {
  chain: ForecastChain
  asset: AssetCode
  issuedAt: Temporal.Instant
  /** The last market day whose price was known. */
  infoDate: string
  /** SHA-256 of what the models were given. */
  inputsSha256: string
  forecasts: readonly NewForecast[]
}

/**
 * Adds an issue to its chain in one transaction and returns the number of forecasts: 0 where the info date has been issued from the
 * same inputs. Days that have begun, or whose price is known, are left out.
 */
export async function issueForecasts(sql: Sql | Transaction, issue: NewIssue): Promise<number> {
  const { chain, asset, issuedAt, infoDate, inputsSha256, forecasts } = issue
  const column = <K extends keyof NewForecast>(name: K) => forecasts.map((forecast) => forecast[name])
  const [row] = await sql<{ count: number }[]>`
    select issue_forecasts(
      ${chain}, ${asset}, ${issuedAt.toString()}::timestamptz, ${infoDate}::date, ${inputsSha256}, ${column('role')}::text[], ${column('model')}::text[],
      ${column('version')}::text[], ${column('targetDate')}::date[], ${column('p10')}::double precision[], ${column('p50')}::double precision[],
      ${column('p90')}::double precision[]
    ) as count`
  return row?.count ?? 0
}

export interface LastIssue {
  at: Temporal.Instant
  model: string
  /** When the asset was last forecast, whether or not the result was new. */
  attemptedAt: Temporal.Instant
}

/** The last forecasts published from that info date; undefined where none were. */
export async function lastIssue(
  sql: Sql,
  chain: ForecastChain,
  asset: AssetCode,
  infoDate: string,
): Promise<LastIssue | undefined> {
  const [row] = await sql<LastIssue[]>`
    select f.issued_at as at, f.model, greatest(f.issued_at, s.checked_at) as "attemptedAt"
    from forecasts f left join forecast_status s on s.asset = f.asset
    where f.chain = ${chain} and f.asset = ${asset} and f.role = 'published' and f.info_date = ${infoDate}
    order by f.issued_at desc limit 1`
  return row
}

/** The first info date that forecasts of the asset were issued from, YYYY-MM-DD; undefined where none were. */
export async function firstIssuedFrom(sql: Sql, chain: ForecastChain, asset: AssetCode): Promise<string | undefined> {
  const [row] = await sql<{ first: string | null }[]>`
    select min(info_date) as first from forecasts where chain = ${chain} and asset = ${asset} and role = 'published'`
  return row?.first ?? undefined
}

/** Whether a price of any of these days was stored after that instant, which is of a whole second. */
export async function hasNewInputsSince(
  sql: Sql,
  days: readonly { asset: AssetCode; day: string }[],
  since: Temporal.Instant,
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from unnest(${days.map(({ asset }) => asset)}::text[], ${days.map(({ day }) => day)}::date[]) as i (asset, day)
      join daily_prices d on d.asset = i.asset and d.market_day = i.day
      where date_trunc('second', d.fetched_at) > ${since.toString()}::timestamptz
    ) as found`
  return row?.found === true
}

/** Stores the prices of forecast days that have become known; returns how many. */
export async function scoreForecasts(sql: Sql, asset: AssetCode, at: Temporal.Instant): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select score_forecasts(${asset}, ${at.toString()}::timestamptz) as count`
  return row?.count ?? 0
}

export type StatusOutcome = 'issued' | 'too_little_history' | 'history_ended'

interface IssueStatus {
  asset: AssetCode
  outcome: StatusOutcome
  /** One sentence for answers without a forecast. */
  detail: string
  /** Days of prices there were. */
  daysKnown: number
}

/** Stores the outcome of an attempt to issue. */
export async function recordStatus(sql: Sql | Transaction, status: IssueStatus, at: Temporal.Instant): Promise<void> {
  const { asset, outcome, detail, daysKnown } = status
  await sql`
    insert into forecast_status (asset, outcome, detail, days_known, checked_at)
    values (${asset}, ${outcome}, ${detail}, ${daysKnown}, ${at.toString()}::timestamptz)
    on conflict (asset) do update
      set outcome = excluded.outcome, detail = excluded.detail, days_known = excluded.days_known, checked_at = excluded.checked_at`
}

/** Outcome and time of the last attempt for each asset. */
export async function issueStatuses(
  sql: Sql,
): Promise<{ asset: AssetCode; detail: string; checked_at: Temporal.Instant }[]> {
  return await sql`select asset, detail, checked_at from forecast_status order by asset`
}

/** Whether forecasts were rejected for lack of history, and the history still has the same number of days. */
export async function isRefused(sql: Sql, asset: AssetCode, daysKnown: number): Promise<boolean> {
  const [row] = await sql<{ refused: boolean }[]>`
    select exists (
      select from forecast_status where asset = ${asset} and outcome = 'too_little_history' and days_known = ${daysKnown}
    ) as refused`
  return row?.refused === true
}

const ROWS_AT_A_TIME = 5_000

/** Every row of the ledger, chain by chain, in order. */
export function ledgerRows(sql: Sql | Transaction): AsyncGenerator<LedgerRow> {
  return rowsOfChains(
    (chain, after) => sql<LedgerRow[]>`
      select chain, sequence, asset, role, model, version,
             to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "issuedAt",
             info_date as "infoDate", target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90,
             inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash
      from forecasts where chain = ${chain} and sequence > ${after} order by sequence limit ${ROWS_AT_A_TIME}`,
  )
}
