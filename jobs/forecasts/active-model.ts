/** The active model of a subject, and its artefacts if it has any. */

import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { findActiveModel, listArtefacts, type StoredArtefact } from '../../src/store/forecast-models.ts'
import type { SubjectRequest } from './task.ts'

/** One is enough; the other is a fallback if it cannot be used. Hourly artefacts take megabytes. */
const ARTEFACTS_MAX = 2

/** Returns the request to the models; damaged artefacts are left out. */
export async function requestOf(ctx: Context, subject: ForecastSubject, synthetic: boolean): Promise<SubjectRequest> {
  const active = await findActiveModel(ctx.database.sql, subject, synthetic)
  if (active?.artefactId === undefined) return { subject, model: active?.model, artefacts: [] }
  const newest = { model: active.model, count: ARTEFACTS_MAX }
  return { subject, model: active.model, artefacts: await listIntactArtefacts(ctx, subject, synthetic, newest) }
}

/** Lists the undamaged artefacts, newest first; each damaged one is reported as an event. */
export function listIntactArtefacts(
  ctx: Context,
  asset: ForecastSubject,
  synthetic: boolean,
  newest?: { model: string; count: number },
): Promise<StoredArtefact[]> {
  const onDamaged = (artefact: number) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' })
  return listArtefacts(ctx.database.sql, asset, synthetic, onDamaged, newest)
}
