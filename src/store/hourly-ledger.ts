/** The ledger of hourly forecasts: the only writer of it, and its rows in the order of the chain. The rules are in sql/objects/hourly_forecast_issue.sql. */

import type { ForecastChain } from '../api/contract/forecasts.ts'
import { hoursOf, type InputStep, type IssueKind } from '../market/forecast-scope.ts'
import type { HourlyLedgerRow } from '../market/ledger.ts'
import type { QuarterShape } from '../market/quarter-shape.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql, Transaction } from './database.ts'
import type { ForecastRole, LastIssue, StatusOutcome } from './forecast-ledger.ts'
import { rowsOfChains } from './ledger-chains.ts'

/** A day of a zone: as many hours as it has, €/MWh. */
export interface NewHourlyForecast {
  role: ForecastRole
  model: string
  version: string
  inputs: InputStep
  /** YYYY-MM-DD */
  targetDate: string
  p10: number[]
  p50: number[]
  p90: number[]
}

interface NewHourlyIssue {
  chain: ForecastChain
  zone: ZoneCode
  issue: IssueKind
  issuedAt: Temporal.Instant
  /** The last market day whose price was known. */
  infoDate: string
  /** SHA-256 of what the models were given. */
  inputsSha256: string
  forecasts: readonly NewHourlyForecast[]
}

/** Adds an issue to its chain and returns the number of days: 0 where the info date has been issued from the same inputs. */
export async function issueHourlyForecasts(sql: Sql | Transaction, issued: NewHourlyIssue): Promise<number> {
  const { chain, zone, issue, issuedAt, infoDate, inputsSha256, forecasts } = issued
  const [row] = await sql<{ count: number }[]>`
    select issue_hourly_forecasts(
      ${chain}, ${zone}, ${issue}, ${issuedAt.toString()}::timestamptz, ${infoDate}::date, ${inputsSha256}, ${sql.json(forecasts as never)}
    ) as count`
  return row?.count ?? 0
}

/** The last issue from that info date; undefined where there is none. */
export async function lastHourlyIssue(
  sql: Sql,
  chain: ForecastChain,
  zone: ZoneCode,
  infoDate: string,
): Promise<LastIssue | undefined> {
  const [row] = await sql<LastIssue[]>`
    select f.issued_at as at, f.model, greatest(f.issued_at, s.checked_at) as "attemptedAt"
    from hourly_forecasts f left join hourly_forecast_status s on s.zone = f.zone
    where f.chain = ${chain} and f.zone = ${zone} and f.role = 'published' and f.info_date = ${infoDate}
    order by f.issued_at desc, f.horizon_days limit 1`
  return row
}

/** Stores the hours of forecast days that have become known; returns of how many. */
export async function scoreHourlyForecasts(sql: Sql, at: Temporal.Instant): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select score_hourly_forecasts(${at.toString()}::timestamptz) as count`
  return row?.count ?? 0
}

interface HourlyStatus {
  zone: ZoneCode
  outcome: StatusOutcome
  /** One sentence for answers without a forecast. */
  detail: string
  daysKnown: number
}

/** Stores the outcome of an attempt to issue the hours of a zone. */
export async function recordHourlyStatus(
  sql: Sql | Transaction,
  { zone, outcome, detail, daysKnown }: HourlyStatus,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into hourly_forecast_status (zone, outcome, detail, days_known, checked_at)
    values (${zone}, ${outcome}, ${detail}, ${daysKnown}, ${at.toString()}::timestamptz)
    on conflict (zone) do update
      set outcome = excluded.outcome, detail = excluded.detail, days_known = excluded.days_known, checked_at = excluded.checked_at`
}

/** Whether hours were rejected for lack of history, and the history still has the same number of days. */
export async function areHoursRefused(sql: Sql, zone: ZoneCode, daysKnown: number): Promise<boolean> {
  const [row] = await sql<{ refused: boolean }[]>`
    select exists (
      select from hourly_forecast_status where zone = ${zone} and outcome = 'too_little_history' and days_known = ${daysKnown}
    ) as refused`
  return row?.refused === true
}

/** Stores how the quarter-hours of a zone lie about their hour, as learned to that day. */
export async function saveQuarterShape(
  sql: Sql | Transaction,
  { zone, synthetic, shape }: { zone: ZoneCode; synthetic: boolean; shape: QuarterShape },
  at: Temporal.Instant,
): Promise<void> {
  const { learnedTo, days, slopes, offsets } = shape
  await sql`
    insert into quarter_shapes (zone, synthetic, learned_to, days, slopes, offsets, learned_at)
    values (${zone}, ${synthetic}, ${learnedTo}::date, ${days}, ${[...slopes]}::double precision[], ${[...offsets]}::double precision[],
            ${at.toString()}::timestamptz)
    on conflict (zone, synthetic, learned_to) do update
      set days = excluded.days, slopes = excluded.slopes, offsets = excluded.offsets, learned_at = excluded.learned_at`
}

/** €/MWh; made as of `issuedAt`. */
interface ReplayedHourlyForecast extends NewHourlyForecast {
  issuedAt: Temporal.Instant
  infoDate: string
  /** Left out where the day is not known whole. */
  actual?: number[] | undefined
}

interface NewHourlyReplay {
  zone: ZoneCode
  synthetic: boolean
  issue: IssueKind
  purpose: 'accuracy' | 'command'
  codeVersion: string
  madeAt: Temporal.Instant
  forecasts: readonly ReplayedHourlyForecast[]
}

/** Keeps a replay of hours apart from what was issued, all of it or nothing. One made for the track record is added to those before, and replaces their days of issue that it has. */
export async function saveHourlyReplay(sql: Sql, replay: NewHourlyReplay): Promise<void> {
  const { zone, synthetic, issue, purpose, codeVersion, madeAt, forecasts } = replay
  const infoDates = forecasts.map(({ infoDate }) => infoDate).sort()
  const [first, last] = [infoDates[0], infoDates.at(-1)]
  if (first === undefined || last === undefined) return
  const models = [...new Set(forecasts.map(({ model }) => model))]
  const rows = forecasts.map(({ issuedAt, ...row }) => ({ ...row, issuedAt: issuedAt.toString() }))
  await sql.begin(async (tx: Transaction) => {
    if (purpose === 'accuracy')
      await tx`
        delete from replayed_hourly_forecasts using forecast_replays r
        where replay_id = r.id and r.asset = ${hoursOf(zone)} and r.synthetic = ${synthetic} and r.purpose = ${purpose}
          and info_date between ${first}::date and ${last}::date`
    const [row] = await tx<{ id: number }[]>`
      insert into forecast_replays (asset, synthetic, first_day, last_day, models, purpose, code_version, made_at)
      values (${hoursOf(zone)}, ${synthetic}, ${first}::date, ${last}::date, ${models}, ${purpose}, ${codeVersion}, ${madeAt.toString()}::timestamptz)
      returning id`
    await tx`
      insert into replayed_hourly_forecasts
        (replay_id, role, issue, model, version, inputs, issued_at, info_date, target_date, horizon_days, p10, p50, p90, actual)
      select ${(row as { id: number }).id}, r.day ->> 'role', ${issue}, r.day ->> 'model', r.day ->> 'version', r.day ->> 'inputs', (r.day ->> 'issuedAt')::timestamptz,
             (r.day ->> 'infoDate')::date, (r.day ->> 'targetDate')::date, (r.day ->> 'targetDate')::date - (r.day ->> 'infoDate')::date,
             prices_of_json(r.day -> 'p10'), prices_of_json(r.day -> 'p50'), prices_of_json(r.day -> 'p90'), prices_of_json(r.day -> 'actual')
      from jsonb_array_elements(${tx.json(rows as never)}) as r (day)`
  })
}

const ROWS_AT_A_TIME = 1_000

/** Every row of the hourly ledger, chain by chain, in order. */
export function hourlyLedgerRows(sql: Sql | Transaction): AsyncGenerator<HourlyLedgerRow> {
  return rowsOfChains(
    (chain, after) => sql<HourlyLedgerRow[]>`
      select chain, sequence, zone, role, issue, model, version, inputs,
             to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "issuedAt",
             info_date as "infoDate", target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90,
             inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash
      from hourly_forecasts where chain = ${chain} and sequence > ${after} order by sequence limit ${ROWS_AT_A_TIME}`,
  )
}
