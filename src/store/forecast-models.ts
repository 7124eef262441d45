/** Trained models and which of them is active. The format of `content` is private to the jobs. */
import { createHash } from 'node:crypto'
import { type ForecastSubject, zoneOf } from '../market/forecast-scope.ts'
import { incrementDataVersion } from './data-version.ts'
import type { Sql, Transaction } from './database.ts'
import { insertReplay, type NewReplay } from './forecast-replays.ts'

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

/** The newest artefacts of a model are fallbacks for each other. */
const KEPT_NEWEST = 3
/**
 * Keeps one older artefact per period, so that each of the last 60 test days has a model trained before it. Hourly models, whose artefacts
 * take megabytes, need only one that is older than all of those days.
 */
const KEPT_EVERY_DAYS = { daily: 7, hours: 28 }
const KEPT_DAYS = 100

/** Lists artefacts, latest prices first; damaged ones are skipped and passed to `onDamaged`. `newest`: at most `count` of one model. */
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

/** Returns the latest decision: the model's name and, if it is trained, its artefact. */
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
    /** The last scored days; omitted if they are not kept. */
    replay?: NewReplay
  },
): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    for (const artefact of training.artefacts) await insertArtefact(tx, artefact)
    const { asset, synthetic, model, decidedAt, reason, metrics } = training.decision
    await tx`
      insert into forecast_promotions (asset, synthetic, model, artefact_id, decided_at, reason, metrics)
      values (${asset}, ${synthetic}, ${model}, ${await newestArtefact(tx, training.decision)}, ${decidedAt}::timestamptz, ${reason},
              ${tx.json(metrics)})`
    if (training.replay !== undefined) await insertReplay(tx, training.replay)
    await removeOldArtefacts(tx, asset, synthetic)
  })
  await incrementDataVersion(sql)
}

/** Returns the artefact of this training, or the last good one if this training of the model was discarded. */
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
    values (${asset}, ${model}, ${version}, ${trainedAt}::timestamptz, ${dataFrom}::date, ${dataTo}::date, ${synthetic},
            ${backend}, ${codeVersion}, ${tx.json(metrics)}, ${sha256Of(artefact.content)}, ${artefact.content})`
}

async function removeOldArtefacts(tx: Transaction, asset: ForecastSubject, synthetic: boolean): Promise<void> {
  const everyDays = zoneOf(asset) === undefined ? KEPT_EVERY_DAYS.daily : KEPT_EVERY_DAYS.hours
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
