import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /psv/today". */
export const getPsvToday = observationEndpoint(ASSETS.PSV, {
  id: 'getPsvToday',
  summary: 'Latest PSV',
  description:
    'The latest published day-ahead price of gas at the national virtual trading point, not older than 7 days.',
})
