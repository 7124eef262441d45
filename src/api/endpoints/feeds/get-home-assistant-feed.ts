import { round } from '../../../market/rounding.ts'
import { mean } from '../../../market/scenarios/months.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import { noData } from '../../contract/errors.ts'
import { feedParameters, type HomeAssistantFeed, homeAssistantFeed } from '../../contract/feeds.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'
import { type ConsumerPrice, consumerPrices, examplePrices, presentSpan, romeIso } from './consumer-prices.ts'

/** The attributes of the Nord Pool sensor (custom-components/nordpool, sensor.py), so that cards and templates made for it work. */
export const getHomeAssistantFeed = endpoint({
  id: 'getHomeAssistantFeed',
  method: 'get',
  path: '/feeds/home-assistant',
  tag: 'Feeds',
  summary: 'Get prices for Home Assistant',
  description:
    'Returns the current price and those of today and tomorrow, with the attribute names of the Nord Pool ' +
    'integration for Home Assistant, so that cards, blueprints and templates made for it work with a REST ' +
    'sensor. Zones and the forecast need the API plan.',
  plan: 'Developer',
  openLocally: true,
  cache: 'quarter-hour',
  query: feedParameters,
  reply: homeAssistantFeed,
  example: present(
    { zone: NATIONAL_ZONE, today: '2026-11-22', baseUrl: EXAMPLE_BASE_URL },
    {
      prices: examplePrices(),
      current: examplePrices()[0] as ConsumerPrice,
      isComplete: () => true,
      sourceIds: ['gme-mgp'],
    },
  ),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now, caller }) {
    const { prices, dayMeans, sourceIds } = await consumerPrices({ service, today, now, caller }, query)
    const seconds = now.epochMilliseconds / 1000
    const current = prices.find(({ startsAt, endsAt }) => startsAt <= seconds && seconds < endsAt)
    if (current === undefined || current.isForecast)
      throw noData(`The price of ${query.zone} at ${romeIso(seconds)}`, secondsToPublicationOf(today, now))
    return present(
      {
        zone: query.zone,
        today: today.toString(),
        baseUrl: service.config.baseUrl,
        withForecast: query.forecast === 'tail',
      },
      { prices, current, isComplete: (date) => dayMeans.has(date), sourceIds },
    )
  },
})

interface FeedHead {
  zone: HomeAssistantFeed['region']
  today: string
  baseUrl: URL
  withForecast?: boolean
}

interface FoundPrices {
  prices: readonly ConsumerPrice[]
  current: ConsumerPrice
  /** Whether the market day has all its prices. */
  isComplete: (date: string) => boolean
  sourceIds: string[]
}

function present({ zone, today, baseUrl, withForecast }: FeedHead, found: FoundPrices): HomeAssistantFeed {
  const { prices, current, isComplete, sourceIds } = found
  const published = prices.filter(({ isForecast }) => !isForecast)
  const ofToday = published.filter(({ date }) => date === today)
  const ofTomorrow = published.filter(({ date }) => date > today)
  const values = ofToday.map(({ value }) => value)
  return {
    current_price: current.value,
    ...(isComplete(today) && statsOf(values)),
    unit: 'kWh',
    currency: 'EUR',
    country: 'Italy',
    region: zone,
    today: values,
    tomorrow: ofTomorrow.map(({ value }) => value),
    tomorrow_valid: ofTomorrow[0] !== undefined && isComplete(ofTomorrow[0].date),
    raw_today: ofToday.map(presentSpan),
    raw_tomorrow: ofTomorrow.map(presentSpan),
    ...(withForecast && { raw_forecast: prices.filter(({ isForecast }) => isForecast).map(presentSpan) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function statsOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [number, number]
  return {
    average: round(mean(values), 6),
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
    mean: round((middle[0] + middle[1]) / 2, 6),
  }
}
