import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /psv/today". */
export const getPsvToday = observationEndpoint(ASSETS.PSV, {
  id: 'getPsvToday',
  summary: 'Get the latest PSV price',
  description: 'Returns the latest day-ahead price of gas at the Italian virtual trading point, at most 7 days old.',
})
