/** Replays: daily and hourly forecasts made as of past days, stored apart from issued ones. */

import { type ForecastSubject, HORIZON_DAYS_MAX, HOURLY_REACH_DAYS, type IssueKind } from '../market/forecast-scope.ts'
import { incrementDataVersion } from './data-version.ts'
import type { Sql, Transaction } from './database.ts'
import type { NewForecast, NewHourlyForecast } from './forecast-ledger.ts'

interface AsOf<Values> {
  /** The instant as of which it was made. */
  issuedAt: Temporal.Instant
  infoDate: string
  /** Omitted if the day's prices are incomplete. */
  actual?: Values | undefined
}

/** Prices are stored with 4 decimals, like those of issued forecasts. */
export type ReplayedForecast = NewForecast & AsOf<number>
type ReplayedHours = NewHourlyForecast & AsOf<number[]>

export interface NewReplay {
  asset: ForecastSubject
  synthetic: boolean
  purpose: 'accuracy' | 'command'
  codeVersion: string
  madeAt: Temporal.Instant
  /** For hours only. */
  issue?: IssueKind | undefined
  forecasts: readonly (ReplayedForecast | ReplayedHours)[]
}

/**
 * Saves a replay atomically. For the track record, a daily replay replaces the previous one up to its last day, or with `extend` only its
 * own days; an hourly replay replaces the days of issue that it covers.
 */
export async function saveReplay(sql: Sql, replay: NewReplay, { extend = false } = {}): Promise<void> {
  await sql.begin((tx: Transaction) => insertReplay(tx, replay, extend))
  await incrementDataVersion(sql)
}

export async function insertReplay(tx: Transaction, replay: NewReplay, extend = false): Promise<void> {
  const infoDates = replay.forecasts.map(({ infoDate }) => infoDate).sort()
  const [first, last] = [infoDates[0], infoDates.at(-1)]
  if (first === undefined || last === undefined) return
  const span = { first, last, models: [...new Set(replay.forecasts.map(({ model }) => model))] }
  if (replay.issue !== undefined) return insertHours(tx, replay, span)
  const extended = replay.purpose === 'accuracy' ? await extendReplay(tx, replay, last) : undefined
  if (extended !== undefined) {
    await tx`
      delete from replayed_forecasts
      where replay_id = ${extended} and info_date <= ${last}::date and (${!extend} or info_date >= ${first}::date)`
    if (!extend)
      await tx`update forecast_replays set first_day = ${first}::date, models = ${span.models} where id = ${extended}`
  }
  const forecasts = replay.forecasts as readonly ReplayedForecast[]
  const column = <K extends keyof ReplayedForecast>(name: K) => forecasts.map((forecast) => forecast[name])
  await tx`
    insert into replayed_forecasts
      (replay_id, role, model, version, issued_at, info_date, target_date, horizon_days, p10, p50, p90, actual)
    select ${extended ?? (await insertReplayRow(tx, replay, span))}, i.role, i.model, i.version, i.issued_at, i.info_date, i.target_date,
           i.target_date - i.info_date, round(i.p10::numeric, 4), round(i.p50::numeric, 4), round(i.p90::numeric, 4), i.actual
    from unnest(
      ${column('role')}::text[], ${column('model')}::text[], ${column('version')}::text[], ${forecasts.map(({ issuedAt }) => issuedAt)}::timestamptz[],
      ${column('infoDate')}::date[], ${column('targetDate')}::date[], ${column('p10')}::double precision[],
      ${column('p50')}::double precision[], ${column('p90')}::double precision[],
      ${forecasts.map(({ actual }) => actual ?? null) as number[]}::double precision[]
    ) as i (role, model, version, issued_at, info_date, target_date, p10, p50, p90, actual)`
}

interface ReplaySpan {
  first: string
  last: string
  models: string[]
}

async function insertHours(tx: Transaction, replay: NewReplay, span: ReplaySpan): Promise<void> {
  const { asset, synthetic, purpose, issue } = replay
  if (purpose === 'accuracy')
    await tx`
      delete from replayed_hourly_forecasts using forecast_replays r
      where replay_id = r.id and r.asset = ${asset} and r.synthetic = ${synthetic} and r.purpose = ${purpose}
        and info_date between ${span.first}::date and ${span.last}::date`
  const rows = replay.forecasts.map(({ issuedAt, ...row }) => ({ ...row, issuedAt: issuedAt.toString() }))
  await tx`
    insert into replayed_hourly_forecasts
      (replay_id, role, issue, model, version, inputs, issued_at, info_date, target_date, horizon_days, p10, p50, p90, actual)
    select ${await insertReplayRow(tx, replay, span)}, r.day ->> 'role', ${issue as IssueKind}, r.day ->> 'model', r.day ->> 'version', r.day ->> 'inputs',
           (r.day ->> 'issuedAt')::timestamptz, (r.day ->> 'infoDate')::date, (r.day ->> 'targetDate')::date,
           (r.day ->> 'targetDate')::date - (r.day ->> 'infoDate')::date,
           prices_of_json(r.day -> 'p10'), prices_of_json(r.day -> 'p50'), prices_of_json(r.day -> 'p90'), prices_of_json(r.day -> 'actual')
    from jsonb_array_elements(${tx.json(rows as never)}) as r (day)`
}

async function insertReplayRow(
  tx: Transaction,
  { asset, synthetic, purpose, codeVersion, madeAt }: NewReplay,
  { first, last, models }: ReplaySpan,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into forecast_replays (asset, synthetic, first_day, last_day, models, purpose, code_version, made_at)
    values (${asset}, ${synthetic}, ${first}::date, ${last}::date, ${models}, ${purpose}, ${codeVersion}, ${madeAt}::timestamptz)
    returning id`
  return (row as { id: number }).id
}

/** Extends the latest replay to `last` and returns its id; undefined if there is none. */
async function extendReplay(
  tx: Transaction,
  { asset, synthetic, purpose, codeVersion, madeAt }: NewReplay,
  last: string,
): Promise<number | undefined> {
  const [row] = await tx<{ id: number }[]>`
    update forecast_replays set last_day = greatest(last_day, ${last}::date), code_version = ${codeVersion}, made_at = ${madeAt}::timestamptz
    where id = (
      select id from forecast_replays where asset = ${asset} and synthetic = ${synthetic} and purpose = ${purpose}
      order by made_at desc, id desc limit 1
    )
    returning id`
  return row?.id
}

/** Returns when forecasts from that info date, at full reach, were last replayed for the track record; undefined if they never were. */
export async function lastReplayFrom(
  sql: Sql,
  { asset, synthetic, infoDate }: { asset: ForecastSubject; synthetic: boolean; infoDate: string },
): Promise<Temporal.Instant | undefined> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select max(r.made_at) as at from forecast_replays r
    where r.asset = ${asset} and r.synthetic = ${synthetic} and r.purpose = 'accuracy' and (
      exists (
        select from replayed_forecasts f
        where f.replay_id = r.id and f.role = 'published' and f.info_date = ${infoDate} and f.horizon_days > ${HORIZON_DAYS_MAX}
      ) or exists (
        select from replayed_hourly_forecasts f
        where f.replay_id = r.id and f.role = 'published' and f.info_date = ${infoDate} and f.horizon_days = ${HOURLY_REACH_DAYS}
      )
    )`
  return row?.at ?? undefined
}

/** Returns the last day of issue of the replay made for the track record, YYYY-MM-DD; undefined if there is none. */
export async function accuracyReplayEnd(
  sql: Sql,
  asset: ForecastSubject,
  synthetic: boolean,
): Promise<string | undefined> {
  const [row] = await sql<{ last: string }[]>`
    select last_day as last from forecast_replays
    where asset = ${asset} and synthetic = ${synthetic} and purpose = 'accuracy' order by made_at desc, id desc limit 1`
  return row?.last
}
