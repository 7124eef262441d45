import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getTtfToday = observationEndpoint(ASSETS.TTF, {
  id: 'getTtfToday',
  summary: 'Get the latest TTF price',
  description: 'Returns the latest price of gas at the Dutch hub, at most 7 days old.',
})
