import * as z from 'zod'
import type { MarketDay } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import { ALL_MARKET_ZONES, MARKET_ZONES, NATIONAL_ZONE } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import type { ZoneSpreads } from '../../../store/zone-prices.ts'
import { noData, notFound } from '../../contract/errors.ts'
import { asOf, marketDay, refuseFuture } from '../../contract/parameters.ts'
import { type ZonalPrices, zonalPrices } from '../../contract/zonal.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { creditsOf } from '../source-credits.ts'
import { latestDay } from './latest-day.ts'

/** Day-ahead price of each market zone, with its difference from the PUN. Spec: "Zonal prices". */
export const getPunZones = endpoint({
  id: 'getPunZones',
  method: 'get',
  path: '/pun/zones',
  tag: 'Day-ahead market',
  summary: 'Get zonal prices of a day',
  description:
    'Returns the daily price of the market zones (six by default; `zones=all` includes Calabria, a zone since ' +
    '2021) and their difference from the PUN. `as_of` returns the prices as they were known at an instant, ' +
    'before later corrections; the default day is then the latest known at that instant. CSV has one row per ' +
    'zone.',
  plan: 'Developer',
  cache: '1h',
  formats: ['json', 'csv'],
  query: z.object({
    date: marketDay
      .optional()
      .meta({ description: 'Market day. Default: the latest published, tomorrow from midday on.' }),
    zones: z
      .enum(['all'])
      .optional()
      .meta({ description: 'Calabria (`cala`) beside the six zones. Default: the six.', example: 'all' }),
    as_of: asOf,
  }),
  reply: zonalPrices,
  example: exampleZones(),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now }) {
    const { as_of: instant } = query
    refuseFuture(instant, now)
    const day = query.date ?? (await latestDay(NATIONAL_ZONE, instant, { service, today, now }))
    const zones = query.zones === 'all' ? ALL_MARKET_ZONES : MARKET_ZONES
    const spreads = await service.zones.spreads(day, zones, instant)
    if (spreads !== undefined) return presentZones({ day, asOf: instant, baseUrl: service.config.baseUrl }, spreads)
    if (instant !== undefined && (await service.zones.spreads(day, zones)) !== undefined)
      throw notFound(`The zonal prices of ${day} were not known at ${instant}.`)
    if (Temporal.PlainDate.compare(day, today) >= 0)
      throw noData(
        `The day-ahead result of ${day}`,
        secondsToPublicationOf(day, now),
        await nextStep({ service, today, now }, 'PUN'),
      )
    throw notFound(`There are no zonal prices of ${day}.`)
  },
  table: ({ date, unit, national, zones }) => ({
    filename: `pun_zones_${date}`,
    columns: ['date', 'unit', 'national', 'code', 'name', 'value', 'spread_vs_pun'],
    rows: zones.map((zone) => ({ date, unit, national, ...zone })),
  }),
})

interface ZonesRequest {
  day: MarketDay
  asOf?: Temporal.Instant | undefined
  baseUrl: URL
}

function presentZones({ day, asOf, baseUrl }: ZonesRequest, { national, zones, sourceIds }: ZoneSpreads): ZonalPrices {
  return {
    date: day.toString(),
    unit: '€/MWh',
    ...(asOf && { as_of: asOf.toString() }),
    national: roundNative(national),
    zones: zones.map(({ code, name, price, spreadVsPun }) => ({
      code,
      name,
      value: roundNative(price),
      spread_vs_pun: roundNative(spreadVsPun),
    })),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function exampleZones(): ZonalPrices {
  const zones = [
    { code: 'nord', name: 'North', price: 117.9, spreadVsPun: -0.53 },
    { code: 'sici', name: 'Sicily', price: 121.4, spreadVsPun: 2.97 },
  ] as const
  const day = Temporal.PlainDate.from('2026-11-21')
  return presentZones({ day, baseUrl: EXAMPLE_BASE_URL }, { national: 118.43, zones, sourceIds: ['gme-mgp'] })
}
