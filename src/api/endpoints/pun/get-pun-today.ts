import { ASSETS } from '../../../market/assets.ts'
import { observationEndpoint } from '../observation-endpoint.ts'

/** The PUN of today’s market day, published at midday of the day before. Spec: "GET /pun/today". */
export const getPunToday = observationEndpoint(ASSETS.PUN, {
  id: 'getPunToday',
  summary: 'Get today’s PUN',
  description:
    'Returns the national single price of electricity on the day-ahead market for today’s market day in Rome: the mean of the day’s intervals.',
})
