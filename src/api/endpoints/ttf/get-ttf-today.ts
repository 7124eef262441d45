import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getTtfToday = observationEndpoint(ASSETS.TTF, {
  id: 'getTtfToday',
  summary: 'Latest TTF',
  description: 'The latest published price of European gas at the Dutch hub, not older than 7 days.',
})
