/** The model that was chosen to speak for an asset, and its artefacts where it has any. */

import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { forecastArtefactUnusable } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { listArtefacts, type StoredArtefact, speakingModel } from '../../src/store/forecast-models.ts'

/** One should do; the others are for the day on which it cannot be used. */
const ARTEFACTS_MAX = 3

/** Artefacts newest first, without those whose content is damaged. */
export async function chosenModel(
  ctx: Context,
  asset: ForecastAsset,
  synthetic: boolean,
): Promise<{ model: string | undefined; artefacts: StoredArtefact[] }> {
  const speaking = await speakingModel(ctx.database.sql, asset, synthetic)
  if (speaking?.artefactId === undefined) return { model: speaking?.model, artefacts: [] }
  const sound = await soundArtefacts(ctx, asset, synthetic)
  const own = sound.filter(({ model }) => model === speaking.model)
  return { model: speaking.model, artefacts: own.slice(0, ARTEFACTS_MAX) }
}

/** Newest first; each damaged one is an event. */
export function soundArtefacts(ctx: Context, asset: ForecastAsset, synthetic: boolean): Promise<StoredArtefact[]> {
  return listArtefacts(ctx.database.sql, asset, synthetic, (artefact) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' }),
  )
}
