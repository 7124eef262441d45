import type { Artefact, ForecastModel } from './model.ts'

/** @throws RangeError where the artefact is another model's, another version's, or of an asset the model does not know */
export function assertArtefactOf({ id, version, assets }: ForecastModel, artefact: Artefact): void {
  if (artefact.model === id && artefact.version === version && assets.includes(artefact.asset)) return
  throw new RangeError(
    `${id} ${version} cannot predict from an artefact of ${artefact.model} ${artefact.version} for ${artefact.asset}`,
  )
}
