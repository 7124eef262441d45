import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getCo2Today = observationEndpoint(ASSETS.CO2, {
  id: 'getCo2Today',
  summary: 'Latest CO2',
  description:
    'The latest published auction price of EU emission allowances in €/tCO2, not older than 7 days. It has no consumer unit.',
})
