/** What the five price observations have in common. Spec: "Price observation". */
import type { Asset } from '../../market/assets.ts'
import { secondsToNextPublication } from '../../publishers/publications.ts'
import { noData } from '../contract/errors.ts'
import { priceObservation } from '../contract/observations.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { currentPrice } from './current-price.ts'
import { exampleObservation } from './examples.ts'
import { nextStep } from './next-step.ts'
import { presentObservation } from './present-observation.ts'

export function observationEndpoint(
  asset: Asset,
  words: { id: string; summary: string; description: string },
): Endpoint {
  return endpoint({
    ...words,
    method: 'get',
    path: `/${asset.slug}/today`,
    tag: 'Current prices',
    plan: 'Open',
    status: 'live',
    cache: '15min',
    reply: priceObservation,
    example: exampleObservation(asset.code),
    fails: ['no_data'],
    async handle({ service, now, today }) {
      const observation = await currentPrice(service.prices, asset.code, today)
      if (!observation) {
        const next = await nextStep({ service, now, today }, asset.code)
        throw noData(missing(asset, today), secondsToNextPublication([asset.code], now), next)
      }
      return presentObservation(observation, service.config.baseUrl)
    },
  })
}

function missing(asset: Asset, today: Temporal.PlainDate): string {
  return asset.code === 'PUN' ? `PUN of ${today.toString()}` : `A current price of ${asset.code}`
}
