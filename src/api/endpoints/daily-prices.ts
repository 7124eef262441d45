import { ASSETS, type Asset } from '../../market/assets.ts'
import { priceObservation } from '../contract/observations.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { currentPrice } from './current-price.ts'
import { exampleObservation } from './examples.ts'
import { noPriceYet } from './next-step.ts'
import { presentObservation } from './present-observation.ts'

/** Common parts of the five price observations. Spec: "Price observation". */
function observationEndpoint(asset: Asset, words: { id: string; summary: string; description: string }): Endpoint {
  return endpoint({
    ...words,
    method: 'get',
    path: `/${asset.slug}/today`,
    tag: 'Current prices',
    plan: 'Open',
    cache: '15min',
    reply: priceObservation,
    example: exampleObservation(asset.code),
    fails: ['no_data'],
    async handle({ service, now, today }) {
      const observation = await currentPrice(service.prices, asset.code, today)
      if (!observation) throw await noPriceYet({ service, now, today }, asset.code, missing(asset, today))
      return presentObservation(observation, service.config.baseUrl)
    },
  })
}

function missing(asset: Asset, today: Temporal.PlainDate): string {
  return asset.code === 'PUN' ? `PUN of ${today.toString()}` : `A current price of ${asset.code}`
}

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
