import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getBrentToday = observationEndpoint(ASSETS.Brent, {
  id: 'getBrentToday',
  summary: 'Get the latest Brent price',
  description:
    'Returns the latest spot price of Brent crude oil in $/bbl, at most 7 days old. There is no price per kWh.',
})
