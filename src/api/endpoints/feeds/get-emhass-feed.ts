import * as z from 'zod'
import { GRANULARITIES, type Granularity } from '../../../market/market-day.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import { noData } from '../../contract/errors.ts'
import { EMHASS_HORIZONS, type EmhassFeed, emhassFeed, feedQuery } from '../../contract/feeds.ts'
import { endpoint } from '../../http/endpoint.ts'
import { type ConsumerPrice, consumerPrices, examplePrices, marketPrice, romeIso } from './consumer-prices.ts'

/** Lists by time step, in the format of EMHASS's runtime parameters (davidusb-geek/emhass, docs/passing_data.md). */
export const getEmhassFeed = endpoint({
  id: 'getEmhassFeed',
  method: 'get',
  path: '/feeds/emhass',
  tag: 'Feeds',
  summary: 'Get prices for EMHASS',
  description:
    'Returns lists of prices by time step, to be passed to EMHASS as runtime parameters: from the current step' +
    ' to the last known price, or all of today or tomorrow. A day has 23, 24 or 25 hours (92, 96 or 100 ' +
    'quarter-hours). Zones and the forecast need the API plan.',
  plan: 'Developer',
  openLocally: true,
  cache: 'quarter-hour',
  query: z.object({
    ...feedQuery,
    horizon: z.enum(EMHASS_HORIZONS).default('ahead').meta({
      description: '`ahead`: from the current step on. `today`, `tomorrow`: the whole market day.',
      example: 'ahead',
    }),
  }),
  reply: emhassFeed,
  example: present(examplePrices(), 'hour'),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now, caller }) {
    const { prices } = await consumerPrices({ service, today, now, caller }, query)
    const tomorrow = today.add({ days: 1 })
    const seconds = now.epochMilliseconds / 1000
    const isWithin = {
      ahead: ({ endsAt }: ConsumerPrice) => endsAt > seconds,
      today: ({ date }: ConsumerPrice) => date === today.toString(),
      tomorrow: ({ date }: ConsumerPrice) => date === tomorrow.toString(),
    }
    const steps = prices.filter(isWithin[query.horizon])
    if (steps.length === 0) throw noData(`The day-ahead result of ${tomorrow}`, secondsToPublicationOf(tomorrow, now))
    return present(steps, query.granularity)
  },
})

function present(steps: readonly ConsumerPrice[], granularity: Granularity): EmhassFeed {
  return {
    load_cost_forecast: steps.map(({ value }) => value),
    prod_price_forecast: steps.map(({ price }) => marketPrice(price)),
    prediction_horizon: steps.length,
    optimization_time_step: GRANULARITIES[granularity],
    starts_at: romeIso((steps[0] as ConsumerPrice).startsAt),
  }
}
