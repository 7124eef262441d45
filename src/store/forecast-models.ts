/** Trained models and which of them is active. Only the jobs know the format of `content`. */
import { createHash } from 'node:crypto'
import { type ForecastSubject, HORIZON_DAYS_MAX, HOURLY_REACH_DAYS } from '../market/forecast-scope.ts'
import { raiseDataVersion } from './data-version.ts'
import type { Sql, Transaction } from './database.ts'
import type { ForecastRole } from './forecast-ledger.ts'

export interface StoredArtefact {
  id: number
  model: string
  version: string
  /** Last market day that training used, YYYY-MM-DD. */
  dataTo: string
  content: Uint8Array
}

export interface NewArtefact {
  asset: ForecastSubject
  model: string
  version: string
  trainedAt: Temporal.Instant
  dataFrom: string
  dataTo: string
  synthetic: boolean
  backend: string
  codeVersion: string
  metrics: Record<string, number>
  content: Uint8Array
}

/** The model active since the last selection, and why. */
interface Promotion {
  asset: ForecastSubject
  synthetic: boolean
  model: string
  /** Undefined for a model that is not trained ahead. */
  artefactId: number | undefined
  decidedAt: Temporal.Instant
  reason: string
  metrics: Record<string, Record<string, number>>
}

/** €/MWh, stored with 4 decimals as issued ones are; dates are YYYY-MM-DD. */
export interface ReplayedForecast {
  role: ForecastRole
  model: string
  version: string
  /** The instant as of which it was made. */
  issuedAt: Temporal.Instant
  infoDate: string
  targetDate: string
  p10: number
  p50: number
  p90: number
  actual: number | undefined
}

interface NewReplay {
  asset: ForecastSubject
  synthetic: boolean
  purpose: 'accuracy' | 'command'
  codeVersion: string
  madeAt: Temporal.Instant
  forecasts: readonly ReplayedForecast[]
}

/** The newest artefacts of a model are spares for each other. */
const KEPT_NEWEST = 3
/**
 * Of older ones the first of so many days: a test takes, of each day of the last 60, what had not seen it. That of hours, whose artefacts take
 * megabytes, needs a single one from before all of them.
 */
const KEPT_EVERY_DAYS = { daily: 7, hours: 28 }
const KEPT_DAYS = 100

/** The one trained on the latest prices first; damaged ones are left out and passed to `onDamaged`. `newest`: no more than so many of a model. */
export async function listArtefacts(
  sql: Sql,
  asset: ForecastSubject,
  synthetic: boolean,
  onDamaged: (id: number) => void,
  newest?: { model: string; count: number },
): Promise<StoredArtefact[]> {
  const ofModel = newest === undefined ? sql`` : sql`and model = ${newest.model}`
  const rows = await sql<(StoredArtefact & { sha256: string })[]>`
    select id, model, version, data_to as "dataTo", content, sha256 from forecast_artefacts
    where asset = ${asset} and synthetic = ${synthetic} ${ofModel}
    order by data_to desc, id desc limit ${newest?.count ?? null}::int`
  return rows.flatMap(({ sha256, ...row }) => {
    if (sha256Of(row.content) === sha256) return [row]
    onDamaged(row.id)
    return []
  })
}

/** The latest decision: the model's name and, where it is trained, which artefact. */
export async function findActiveModel(
  sql: Sql,
  asset: ForecastSubject,
  synthetic: boolean,
): Promise<{ model: string; artefactId: number | undefined; decidedAt: Temporal.Instant } | undefined> {
  const [row] = await sql<{ model: string; artefact_id: number | null; decided_at: Temporal.Instant }[]>`
    select model, artefact_id, decided_at from forecast_promotions
    where asset = ${asset} and synthetic = ${synthetic} order by decided_at desc, id desc limit 1`
  return row && { model: row.model, artefactId: row.artefact_id ?? undefined, decidedAt: row.decided_at }
}

/** Saves a training in one transaction: its artefacts, the model selected, and the replay behind it. */
export async function saveTraining(
  sql: Sql,
  training: {
    artefacts: readonly NewArtefact[]
    decision: Omit<Promotion, 'artefactId'>
    /** The last scored days; left out where they are not kept. */
    replay?: NewReplay
  },
): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    for (const artefact of training.artefacts) await insertArtefact(tx, artefact)
    const { asset, synthetic, model, decidedAt, reason, metrics } = training.decision
    await tx`
      insert into forecast_promotions (asset, synthetic, model, artefact_id, decided_at, reason, metrics)
      values (${asset}, ${synthetic}, ${model}, ${await newestArtefact(tx, training.decision)}, ${decidedAt.toString()}::timestamptz, ${reason},
              ${tx.json(metrics)})`
    if (training.replay !== undefined) await insertReplay(tx, training.replay)
    await removeOldArtefacts(tx, asset, synthetic)
  })
  await raiseDataVersion(sql)
}

/** Saves a replay; one made for the track record replaces the one before up to its last day, or with `extend` its own days in it alone. */
export async function saveReplay(sql: Sql, replay: NewReplay, { extend = false } = {}): Promise<void> {
  await sql.begin((tx: Transaction) => insertReplay(tx, replay, extend))
  await raiseDataVersion(sql)
}

/** When the forecasts from that market day on, as far as they reach, were last replayed for the track record; undefined where they were not. */
export async function lastReplayFrom(
  sql: Sql,
  { asset, synthetic, infoDate }: Pick<NewReplay, 'synthetic'> & { asset: ForecastSubject; infoDate: string },
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

/** The last market day of issue of the replay made for the track record, YYYY-MM-DD; undefined where there is none. */
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

/** That of this training, or the last good one where this training of the model was discarded. */
async function newestArtefact(
  tx: Transaction,
  { asset, synthetic, model }: Pick<Promotion, 'asset' | 'synthetic' | 'model'>,
): Promise<number | null> {
  const [row] = await tx<{ id: number }[]>`
    select id from forecast_artefacts where asset = ${asset} and synthetic = ${synthetic} and model = ${model}
    order by data_to desc, id desc limit 1`
  return row?.id ?? null
}

async function insertArtefact(tx: Transaction, artefact: NewArtefact): Promise<void> {
  const { asset, model, version, trainedAt, dataFrom, dataTo, synthetic, backend, codeVersion, metrics } = artefact
  await tx`
    insert into forecast_artefacts
      (asset, model, version, trained_at, data_from, data_to, synthetic, backend, code_version, metrics, sha256, content)
    values (${asset}, ${model}, ${version}, ${trainedAt.toString()}::timestamptz, ${dataFrom}::date, ${dataTo}::date, ${synthetic},
            ${backend}, ${codeVersion}, ${tx.json(metrics)}, ${sha256Of(artefact.content)}, ${artefact.content})`
}

async function insertReplay(tx: Transaction, replay: NewReplay, extend = false): Promise<void> {
  const { purpose, forecasts } = replay
  const infoDates = forecasts.map(({ infoDate }) => infoDate).sort()
  const [first, last] = [infoDates[0], infoDates.at(-1)]
  if (first === undefined || last === undefined) return
  const models = [...new Set(forecasts.map(({ model }) => model))]
  const extended = purpose === 'accuracy' ? await extendReplay(tx, replay, last) : undefined
  if (extended !== undefined) {
    await tx`
      delete from replayed_forecasts
      where replay_id = ${extended} and info_date <= ${last}::date and (${!extend} or info_date >= ${first}::date)`
    if (!extend)
      await tx`update forecast_replays set first_day = ${first}::date, models = ${models} where id = ${extended}`
  }
  const id = extended ?? (await insertReplayRow(tx, replay, { first, last, models }))
  const column = <K extends keyof ReplayedForecast>(name: K) => forecasts.map((forecast) => forecast[name])
  await tx`
    insert into replayed_forecasts
      (replay_id, role, model, version, issued_at, info_date, target_date, horizon_days, p10, p50, p90, actual)
    select ${id}, i.role, i.model, i.version, i.issued_at, i.info_date, i.target_date, i.target_date - i.info_date,
           round(i.p10::numeric, 4), round(i.p50::numeric, 4), round(i.p90::numeric, 4), i.actual
    from unnest(
      ${column('role')}::text[], ${column('model')}::text[], ${column('version')}::text[], ${forecasts.map(({ issuedAt }) => issuedAt.toString())}::timestamptz[],
      ${column('infoDate')}::date[], ${column('targetDate')}::date[], ${column('p10')}::double precision[],
      ${column('p50')}::double precision[], ${column('p90')}::double precision[],
      ${forecasts.map(({ actual }) => actual ?? null) as number[]}::double precision[]
    ) as i (role, model, version, issued_at, info_date, target_date, p10, p50, p90, actual)`
}

async function insertReplayRow(
  tx: Transaction,
  { asset, synthetic, purpose, codeVersion, madeAt }: NewReplay,
  { first, last, models }: { first: string; last: string; models: string[] },
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into forecast_replays (asset, synthetic, first_day, last_day, models, purpose, code_version, made_at)
    values (${asset}, ${synthetic}, ${first}::date, ${last}::date, ${models}, ${purpose}, ${codeVersion}, ${madeAt.toString()}::timestamptz)
    returning id`
  return (row as { id: number }).id
}

/** The replay that later days are added to; undefined where there is none. */
async function extendReplay(
  tx: Transaction,
  { asset, synthetic, purpose, codeVersion, madeAt }: NewReplay,
  last: string,
): Promise<number | undefined> {
  const [row] = await tx<{ id: number }[]>`
    update forecast_replays set last_day = greatest(last_day, ${last}::date), code_version = ${codeVersion}, made_at = ${madeAt.toString()}::timestamptz
    where id = (
      select id from forecast_replays where asset = ${asset} and synthetic = ${synthetic} and purpose = ${purpose}
      order by made_at desc, id desc limit 1
    )
    returning id`
  return row?.id
}

async function removeOldArtefacts(tx: Transaction, asset: ForecastSubject, synthetic: boolean): Promise<void> {
  const everyDays = asset.startsWith('hours:') ? KEPT_EVERY_DAYS.hours : KEPT_EVERY_DAYS.daily
  await tx`
    delete from forecast_artefacts where id in (
      select id from (
        select id, row_number() over (partition by model order by data_to desc, id desc) as age,
               max(data_to) over (partition by model) - data_to as days,
               row_number() over (partition by model, (data_to - date '2000-01-03') / ${everyDays}::int order by data_to, id) as place
        from forecast_artefacts where asset = ${asset} and synthetic = ${synthetic}
      ) ranked where age > ${KEPT_NEWEST} and (place > 1 or days > ${KEPT_DAYS})
    )`
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
