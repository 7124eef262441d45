import type { ForecastModel } from '../../models/model.ts'
import { MODELS } from '../../models/registry.ts'

export function modelById(id: string): ForecastModel {
  const model = MODELS.find((one) => one.id === id)
  if (!model) throw new RangeError(`no forecast model "${id}"; there are ${MODELS.map((one) => one.id).join(', ')}`)
  return model
}
