import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getBrentToday = observationEndpoint(ASSETS.Brent, {
  id: 'getBrentToday',
  summary: 'Latest Brent',
  description:
    'The latest published spot price of Brent crude oil in $/bbl, not older than 7 days. It has no consumer unit.',
})
