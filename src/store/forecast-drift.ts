/** Records since when an active model has been worse than its test promised. */
import type { ForecastSubject } from '../market/forecast-scope.ts'
import type { Sql } from './database.ts'

/** Returns the error relative to the naive forecast's in the test that selected the model; undefined if the model is not a trained one. */
export async function findTestRmae(sql: Sql, subject: ForecastSubject, benchmark: string): Promise<number | undefined> {
  const [row] = await sql<{ model: string; artefact_id: number | null; metrics: Record<string, { mae?: number }> }[]>`
    select model, artefact_id, metrics from forecast_promotions
    where asset = ${subject} and not synthetic order by decided_at desc, id desc limit 1`
  if (row === undefined || row.artefact_id === null) return undefined
  const [own, naive] = [row.metrics[row.model]?.mae, row.metrics[benchmark]?.mae]
  return own === undefined || !naive ? undefined : own / naive
}

interface Drift {
  since: Temporal.Instant
  /** Whether it has just been recorded. */
  isNew: boolean
}

/** Records that the subject's model drifts; returns since when. */
export async function recordDrift(sql: Sql, subject: ForecastSubject, at: Temporal.Instant): Promise<Drift> {
  const added = await sql`
    insert into forecast_drift (subject, since) values (${subject}, ${at}::timestamptz)
    on conflict do nothing returning since`
  const [row] = await sql<{ since: Temporal.Instant }[]>`select since from forecast_drift where subject = ${subject}`
  return { since: row?.since ?? at, isNew: added.length > 0 }
}

export async function clearDrift(sql: Sql, subject: ForecastSubject): Promise<void> {
  await sql`delete from forecast_drift where subject = ${subject}`
}

/** Replaces the active model with one that needs no training, until a training selects another. */
export async function replaceActiveModel(
  sql: Sql,
  { subject, model, reason }: { subject: ForecastSubject; model: string; reason: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into forecast_promotions (asset, synthetic, model, artefact_id, decided_at, reason, metrics)
    values (${subject}, false, ${model}, null, ${at}::timestamptz, ${reason}, '{}')`
}

export async function driftingSubjects(sql: Sql): Promise<{ subject: ForecastSubject; since: Temporal.Instant }[]> {
  return await sql<{ subject: ForecastSubject; since: Temporal.Instant }[]>`
    select subject, since from forecast_drift order by subject`
}
