/** The active model of an asset, and its artefacts where it has any. */

import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { findActiveModel, listArtefacts, type StoredArtefact } from '../../src/store/forecast-models.ts'

/** One is enough; the others are spares for when it cannot be used. */
const ARTEFACTS_MAX = 3

/** Artefacts newest first, without those whose content is damaged. */
export async function activeModel(
  ctx: Context,
  asset: ForecastSubject,
  synthetic: boolean,
): Promise<{ model: string | undefined; artefacts: StoredArtefact[] }> {
  const active = await findActiveModel(ctx.database.sql, asset, synthetic)
  if (active?.artefactId === undefined) return { model: active?.model, artefacts: [] }
  const sound = await soundArtefacts(ctx, asset, synthetic)
  const own = sound.filter(({ model }) => model === active.model)
  return { model: active.model, artefacts: own.slice(0, ARTEFACTS_MAX) }
}

/** Newest first; each damaged one is an event. */
export function soundArtefacts(ctx: Context, asset: ForecastSubject, synthetic: boolean): Promise<StoredArtefact[]> {
  return listArtefacts(ctx.database.sql, asset, synthetic, (artefact) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' }),
  )
}
