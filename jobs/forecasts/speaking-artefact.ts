/** The artefact of the model that speaks for an asset, undefined where the base model does. */
import type { Context } from '../../src/context.ts'
import type { ForecastAsset } from '../../src/contract/forecasts.ts'
import { forecastArtefactUnusable } from '../../src/events.ts'
import { listArtefacts, type StoredArtefact, speakingModel } from '../../src/store/forecast-models.ts'

export async function speakingArtefact(
  ctx: Context,
  asset: ForecastAsset,
  synthetic: boolean,
): Promise<StoredArtefact | undefined> {
  const { sql } = ctx.database
  const speaking = await speakingModel(sql, asset, synthetic)
  if (speaking?.artefactId === undefined) return undefined
  const artefacts = await soundArtefacts(ctx, asset, synthetic)
  return artefacts.find(({ id }) => id === speaking.artefactId)
}

/** Newest first; each damaged one is an event. */
export function soundArtefacts(ctx: Context, asset: ForecastAsset, synthetic: boolean): Promise<StoredArtefact[]> {
  return listArtefacts(ctx.database.sql, asset, synthetic, (artefact) =>
    forecastArtefactUnusable(ctx.log, { asset, artefact, problem: 'its content is not what was stored' }),
  )
}
