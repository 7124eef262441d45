import { evccFeed, feedParameters } from '../../contract/feeds.ts'
import { endpoint } from '../../http/endpoint.ts'
import { consumerPrices, examplePrices, presentSpan } from './consumer-prices.ts'

/** A list of `start`, `end` and `value`, as evcc's `custom` tariff reads it (evcc-io/evcc, tariff/tariff.go and api.Rate). */
export const getEvccFeed = endpoint({
  id: 'getEvccFeed',
  method: 'get',
  path: '/feeds/evcc',
  tag: 'Feeds',
  summary: 'Get prices for evcc',
  description:
    'Returns the prices of today and tomorrow, and the forecast after them on request, in the format of evcc’s' +
    ' `custom` tariff: a list of `start`, `end` and `value` in €/kWh. Zones and the forecast need the API ' +
    'plan.',
  plan: 'Developer',
  openLocally: true,
  cache: 'quarter-hour',
  query: feedParameters,
  reply: evccFeed,
  example: examplePrices().map(presentSpan),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now, caller }) {
    const { prices } = await consumerPrices({ service, today, now, caller }, query)
    return prices.map(presentSpan)
  },
})
