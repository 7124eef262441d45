/** The model that was chosen to speak for an asset, and its artefact where it has one. */
import type { Context } from '../../src/context.ts'
import type { ForecastAsset } from '../../src/contract/forecasts.ts'
import { forecastArtefactUnusable } from '../../src/events.ts'
import { listArtefacts, type StoredArtefact, speakingModel } from '../../src/store/forecast-models.ts'

export async function chosenModel(
  ctx: Context,
  asset: ForecastAsset,
  synthetic: boolean,
): Promise<{ model: string | undefined; artefact: StoredArtefact | undefined }> {
  const { sql } = ctx.database
  const speaking = await speakingModel(sql, asset, synthetic)
  if (speaking?.artefactId === undefined) return { model: speaking?.model, artefact: undefined }
  const artefacts = await soundArtefacts(ctx, asset, synthetic)
  return { model: speaking.model, artefact: artefacts.find(({ id }) => id === speaking.artefactId) }
}

/** Newest first; each damaged one is an event. */
export function soundArtefacts(ctx: Context, asset: ForecastAsset, synthetic: boolean): Promise<StoredArtefact[]> {
  return listArtefacts(ctx.database.sql, asset, synthetic, (artefact) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' }),
  )
}
