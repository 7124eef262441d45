import { ASSETS } from '../../market/assets.ts'
import { observationEndpoint } from './observation-endpoint.ts'

/** The PUN of today’s market day, published at midday of the day before. Spec: "GET /pun/today". */
export const getPunToday = observationEndpoint(ASSETS.PUN, {
  id: 'getPunToday',
  summary: 'Get today’s PUN',
  description:
    'Returns the national single price of electricity on the day-ahead market for today’s market day in Rome: the mean of the day’s intervals.',
})

/** Spec: "GET /psv/today". */
export const getPsvToday = observationEndpoint(ASSETS.PSV, {
  id: 'getPsvToday',
  summary: 'Get the latest PSV price',
  description: 'Returns the latest day-ahead price of gas at the Italian virtual trading point, at most 7 days old.',
})

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getTtfToday = observationEndpoint(ASSETS.TTF, {
  id: 'getTtfToday',
  summary: 'Get the latest TTF price',
  description: 'Returns the latest price of gas at the Dutch hub, at most 7 days old.',
})

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getBrentToday = observationEndpoint(ASSETS.Brent, {
  id: 'getBrentToday',
  summary: 'Get the latest Brent price',
  description:
    'Returns the latest spot price of Brent crude oil in $/bbl, at most 7 days old. There is no price per kWh.',
})

/** Spec: "GET /ttf/today, /brent/today, /co2/today". */
export const getCo2Today = observationEndpoint(ASSETS.CO2, {
  id: 'getCo2Today',
  summary: 'Get the latest CO2 price',
  description:
    'Returns the latest auction price of EU emission allowances in €/tCO2, at most 7 days old. There is no price per kWh.',
})
