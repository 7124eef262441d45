/** The list of forecast models. The first model of an asset that is no baseline and is promoted speaks; else its first baseline. */
import type { ForecastAsset, ForecastModel } from './model.ts'

export const MODELS: readonly ForecastModel[] = []

export function modelById(id: string): ForecastModel {
  const model = MODELS.find((one) => one.id === id)
  if (!model) throw new RangeError(`no forecast model "${id}"; there are ${MODELS.map((one) => one.id).join(', ')}`)
  return model
}

/** The models of an asset, best first, baselines last. */
export function modelsOf(asset: ForecastAsset): ForecastModel[] {
  return MODELS.filter((model) => model.assets.includes(asset))
}
