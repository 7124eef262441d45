/** The active model of an asset, and its artefacts where it has any. */

import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { findActiveModel, listArtefacts, type StoredArtefact } from '../../src/store/forecast-models.ts'

/** One is enough; the other is the spare for when it cannot be used. Those of the hours have megabytes. */
const ARTEFACTS_MAX = 2

/** Artefacts newest first, without those whose content is damaged. */
export async function activeModel(
  ctx: Context,
  asset: ForecastSubject,
  synthetic: boolean,
): Promise<{ model: string | undefined; artefacts: StoredArtefact[] }> {
  const active = await findActiveModel(ctx.database.sql, asset, synthetic)
  if (active?.artefactId === undefined) return { model: active?.model, artefacts: [] }
  const newest = { model: active.model, count: ARTEFACTS_MAX }
  return { model: active.model, artefacts: await soundArtefacts(ctx, asset, synthetic, newest) }
}

/** Newest first; each damaged one is an event. */
export function soundArtefacts(
  ctx: Context,
  asset: ForecastSubject,
  synthetic: boolean,
  newest?: { model: string; count: number },
): Promise<StoredArtefact[]> {
  const onDamaged = (artefact: number) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' })
  return listArtefacts(ctx.database.sql, asset, synthetic, onDamaged, newest)
}
