import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getCo2Today = observationEndpoint(ASSETS.CO2, {
  id: 'getCo2Today',
  summary: 'Get the latest CO2 price',
  description:
    'Returns the latest auction price of EU emission allowances in €/tCO2, at most 7 days old. There is no price per kWh.',
})
