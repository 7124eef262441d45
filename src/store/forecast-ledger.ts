/**
 * The daily and hourly forecast ledgers: their only writer, their rows in chain order, and the outcome of each attempt to issue. Each row
 * of a chain contains the hash of the previous row; the rules are in sql/objects/forecast_issue.sql.
 */
import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { AssetCode } from '../market/assets.ts'
import { type HoursOfZone, type InputStep, type IssueKind, zoneOf } from '../market/forecast-scope.ts'
import type { AnyLedgerRow, HourlyLedgerRow, LedgerRow, SavedHead } from '../market/ledger.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { QuarterShape } from '../market/quarter-shape.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql, Transaction } from './database.ts'

type Subject = AssetCode | HoursOfZone
type ForecastRole = 'published' | 'benchmark'

/** €/MWh; dates are YYYY-MM-DD. */
export interface NewForecast<Values extends number | number[] = number> {
  role: ForecastRole
  model: string
  version: string
  targetDate: string
  p10: Values
  p50: Values
  p90: Values
}

/** A day of a zone, with one price per hour. */
export interface NewHourlyForecast extends NewForecast<number[]> {
  inputs: InputStep
}

interface NewIssue {
  chain: ForecastChain
  subject: Subject
  /** For hours only. */
  issue?: IssueKind | undefined
  issuedAt: Temporal.Instant
  /** The last market day whose price was known. */
  infoDate: string
  /** SHA-256 of the models' inputs. */
  inputsSha256: string
  forecasts: readonly (NewForecast | NewHourlyForecast)[]
}

const DAYS = { ledger: 'forecasts', status: 'forecast_status', key: 'asset' } as const
const HOURS = { ledger: 'hourly_forecasts', status: 'hourly_forecast_status', key: 'zone' } as const

/** Returns the ledger of a subject's forecasts, and its code there. */
function ledgerOf(subject: Subject) {
  const zone = zoneOf(subject)
  return zone === undefined ? { ...DAYS, code: subject } : { ...HOURS, code: zone }
}

/**
 * Appends an issue to its chain in one transaction and returns the number of forecasts: 0 if the info date was already issued from the same
 * inputs. Days that have begun, or whose price is known, are left out.
 */
export async function issueForecasts(sql: Sql | Transaction, issue: NewIssue): Promise<number> {
  const { chain, subject, issuedAt, infoDate, inputsSha256, forecasts } = issue
  const column = <K extends keyof NewForecast>(name: K) =>
    (forecasts as readonly NewForecast[]).map((forecast) => forecast[name])
  const { code } = ledgerOf(subject)
  const [row] = await sql<{ count: number }[]>`
    select ${
      issue.issue === undefined
        ? sql`issue_forecasts(
            ${chain}, ${code}, ${issuedAt}::timestamptz, ${infoDate}::date, ${inputsSha256}, ${column('role')}::text[], ${column('model')}::text[],
            ${column('version')}::text[], ${column('targetDate')}::date[], ${column('p10')}::double precision[], ${column('p50')}::double precision[],
            ${column('p90')}::double precision[])`
        : sql`issue_hourly_forecasts(
            ${chain}, ${code}, ${issue.issue}, ${issuedAt}::timestamptz, ${infoDate}::date, ${inputsSha256}, ${sql.json(forecasts as never)})`
    } as count`
  return row?.count ?? 0
}

export interface LastIssue {
  at: Temporal.Instant
  model: string
  /** When the subject was last forecast, whether or not the result was new. */
  attemptedAt: Temporal.Instant
}

/** Returns the last issue published from that info date; undefined if there is none. */
export async function lastIssue(
  sql: Sql,
  chain: ForecastChain,
  subject: Subject,
  infoDate: string,
): Promise<LastIssue | undefined> {
  const { ledger, status, key, code } = ledgerOf(subject)
  const [row] = await sql<LastIssue[]>`
    select f.issued_at as at, f.model, greatest(f.issued_at, s.checked_at) as "attemptedAt"
    from ${sql(ledger)} f left join ${sql(status)} s on s.${sql(key)} = f.${sql(key)}
    where f.chain = ${chain} and f.${sql(key)} = ${code} and f.role = 'published' and f.info_date = ${infoDate}
    order by f.issued_at desc, f.horizon_days limit 1`
  return row
}

/** Returns the first info date from which forecasts of the asset were issued, YYYY-MM-DD; undefined if there is none. */
export async function firstIssuedFrom(sql: Sql, chain: ForecastChain, asset: AssetCode): Promise<string | undefined> {
  const [row] = await sql<{ first: string | null }[]>`
    select min(info_date) as first from forecasts where chain = ${chain} and asset = ${asset} and role = 'published'`
  return row?.first ?? undefined
}

/** Whether a price of any of these days was stored after that instant, which is in whole seconds. */
export async function hasNewInputsSince(
  sql: Sql,
  days: readonly { asset: AssetCode; day: string }[],
  since: Temporal.Instant,
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from unnest(${days.map(({ asset }) => asset)}::text[], ${days.map(({ day }) => day)}::date[]) as i (asset, day)
      join daily_prices d on d.asset = i.asset and d.market_day = i.day
      where date_trunc('second', d.fetched_at) > ${since}::timestamptz
    ) as found`
  return row?.found === true
}

/** Stores actual prices of forecast days that have become known, of an asset or of every zone's hours; returns the number of days. */
export async function scoreForecasts(sql: Sql, of: AssetCode | 'hours', at: Temporal.Instant): Promise<number> {
  const scoredAt = sql`${at}::timestamptz`
  const score = of === 'hours' ? sql`score_hourly_forecasts(${scoredAt})` : sql`score_forecasts(${of}, ${scoredAt})`
  const [row] = await sql<{ count: number }[]>`select ${score} as count`
  return row?.count ?? 0
}

interface IssueStatus {
  subject: Subject
  outcome: 'issued' | 'too_little_history' | 'history_ended'
  /** One sentence for answers without a forecast. */
  detail: string
  /** Number of days with prices. */
  daysKnown: number
}

/** Stores the outcome of an attempt to issue. */
export async function recordStatus(sql: Sql | Transaction, attempt: IssueStatus, at: Temporal.Instant): Promise<void> {
  const { subject, outcome, detail, daysKnown } = attempt
  const { status, key, code } = ledgerOf(subject)
  await sql`
    insert into ${sql(status)} (${sql(key)}, outcome, detail, days_known, checked_at)
    values (${code}, ${outcome}, ${detail}, ${daysKnown}, ${at}::timestamptz)
    on conflict (${sql(key)}) do update
      set outcome = excluded.outcome, detail = excluded.detail, days_known = excluded.days_known, checked_at = excluded.checked_at`
}

/** Outcome and time of the last attempt for each asset. */
export async function issueStatuses(
  sql: Sql,
): Promise<{ asset: AssetCode; detail: string; checked_at: Temporal.Instant }[]> {
  return await sql`select asset, detail, checked_at from forecast_status order by asset`
}

/** Whether forecasts were rejected for lack of history, and the history still has the same number of days. */
export async function isStillRejected(sql: Sql, subject: Subject, daysKnown: number): Promise<boolean> {
  const { status, key, code } = ledgerOf(subject)
  const found = await sql`
    select from ${sql(status)}
    where ${sql(key)} = ${code} and outcome = 'too_little_history' and days_known = ${daysKnown}`
  return found.length > 0
}

/** Why there is no forecast, according to the last attempt to issue one. */
export async function noForecastReason(sql: Sql, subject: Subject): Promise<string | undefined> {
  const { status, key, code } = ledgerOf(subject)
  const [row] = await sql<{ detail: string }[]>`
    select detail from ${sql(status)} where ${sql(key)} = ${code} and outcome <> 'issued'`
  return row?.detail
}

/** Stores how a zone's quarter-hours deviate from their hour, as learned up to `learnedTo`. */
export async function saveQuarterShape(
  sql: Sql | Transaction,
  { zone, synthetic, shape }: { zone: ZoneCode; synthetic: boolean; shape: QuarterShape },
  at: Temporal.Instant,
): Promise<void> {
  const { learnedTo, days, slopes, offsets } = shape
  await sql`
    insert into quarter_shapes (zone, synthetic, learned_to, days, slopes, offsets, learned_at)
    values (${zone}, ${synthetic}, ${learnedTo}::date, ${days}, ${[...slopes]}::double precision[], ${[...offsets]}::double precision[],
            ${at}::timestamptz)
    on conflict (zone, synthetic, learned_to) do update
      set days = excluded.days, slopes = excluded.slopes, offsets = excluded.offsets, learned_at = excluded.learned_at`
}

type Ledger = 'forecasts' | 'hourly_forecasts'

export interface ChainHead {
  sequence: number
  hash: string
  issuedAt: Temporal.Instant
}

export interface LedgerChains {
  head(chain: ForecastChain): Promise<ChainHead | undefined>
  /** Returns the chain's last hash of each day in the span on which it grew. */
  dayHashes(
    chain: ForecastChain,
    span: { from: MarketDay; to: MarketDay },
  ): Promise<{ day: string; sequence: number; hash: string }[]>
}

export function ledgerChains(sql: Sql, ledger: Ledger): LedgerChains {
  return {
    async head(chain) {
      const [row] = await sql<ChainHead[]>`
        select sequence, hash, issued_at as "issuedAt" from ${sql(ledger)} where chain = ${chain}
        order by issued_at desc, sequence desc limit 1`
      return row
    },

    async dayHashes(chain, { from, to }) {
      return sql`
        select distinct on (market_day_of(issued_at)) market_day_of(issued_at) as day, sequence, hash from ${sql(ledger)}
        where chain = ${chain}
          and issued_at >= market_day_start(${from}::date)
          and issued_at < market_day_start(${to}::date + 1)
        order by market_day_of(issued_at), sequence desc`
    },
  }
}

/** Returns the last row of each chain that has rows. */
export async function ledgerHeads(sql: Sql): Promise<(SavedHead & { issuedAt: Temporal.Instant })[]> {
  const heads: (SavedHead & { issuedAt: Temporal.Instant })[] = []
  for (const [ledger, prefix] of [
    ['forecasts', ''],
    ['hourly_forecasts', 'hours '],
  ] as const) {
    for (const chain of FORECAST_CHAINS) {
      const head = await ledgerChains(sql, ledger).head(chain)
      if (head === undefined) continue
      const [row] = await sql<{ hash: string }[]>`
        select hash from ${sql(ledger)} where chain = ${chain} order by sequence limit 1`
      heads.push({ ...head, chain: `${prefix}${chain}`, first: row?.hash as string })
    }
  }
  return heads
}

const ROWS_AT_A_TIME = { forecasts: 5_000, hourly_forecasts: 1_000 }

/** Yields every row of both ledgers, chain by chain, in order. */
export async function* allLedgerRows(sql: Sql | Transaction): AsyncGenerator<AnyLedgerRow> {
  yield* ledgerRows(sql)
  yield* ledgerRows(sql, 'hourly_forecasts')
}

/** Every row of a ledger, chain by chain, in order. */
export function ledgerRows(sql: Sql | Transaction, ledger?: 'forecasts'): AsyncGenerator<LedgerRow>
export function ledgerRows(sql: Sql | Transaction, ledger: 'hourly_forecasts'): AsyncGenerator<HourlyLedgerRow>
export async function* ledgerRows(sql: Sql | Transaction, ledger: Ledger = 'forecasts'): AsyncGenerator<AnyLedgerRow> {
  const own = sql(ledger === 'forecasts' ? ['asset'] : ['zone', 'issue', 'inputs'])
  for (const chain of FORECAST_CHAINS) {
    let [rows, after]: [AnyLedgerRow[], number] = [[], 0]
    do {
      rows = await sql<AnyLedgerRow[]>`
        select chain, sequence, ${own}, role, model, version,
               to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "issuedAt",
               info_date as "infoDate", target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90,
               inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash
        from ${sql(ledger)} where chain = ${chain} and sequence > ${after} order by sequence limit ${ROWS_AT_A_TIME[ledger]}`
      yield* rows
      after = rows.at(-1)?.sequence ?? after
    } while (rows.length > 0)
  }
}
