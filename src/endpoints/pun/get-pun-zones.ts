import * as z from 'zod'
import { noData, notFound } from '../../contract/errors.ts'
import { marketDay } from '../../contract/parameters.ts'
import { secondsToPublicationOf } from '../../contract/publications.ts'
import { type ZonalPrices, zonalPrices } from '../../contract/zonal.ts'
import { MARKET_ZONES, NATIONAL_ZONE } from '../../contract/zones.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { ZoneSpreads } from '../../store/zone-prices.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { toNative } from '../price-units.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

/** Day-ahead price of each market zone, with its distance from the PUN. Spec: "Zonal prices". */
export const getPunZones = endpoint({
  id: 'getPunZones',
  method: 'get',
  path: '/pun/zones',
  tag: 'Day-ahead market',
  summary: 'Zonal prices of a day',
  description: 'Daily price of the six market zones and their spread over the PUN. CSV has one row per zone.',
  plan: 'Developer',
  status: 'live',
  cache: '1h',
  formats: ['json', 'csv'],
  query: z.object({
    date: marketDay
      .optional()
      .meta({ description: 'Market day. Default: the latest published, tomorrow from midday on.' }),
  }),
  reply: zonalPrices,
  example: exampleZones(),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now }) {
    const date = query.date?.toString() ?? (await service.zones.latestDay(NATIONAL_ZONE, today.add({ days: 1 })))
    if (date === undefined) throw noData('The day-ahead result', secondsToPublicationOf(today, now))
    const day = Temporal.PlainDate.from(date)
    const spreads = await service.zones.spreads(day)
    if (spreads !== undefined) return presentZones(date, spreads, service.config.baseUrl)
    if (Temporal.PlainDate.compare(day, today) >= 0)
      throw noData(`The day-ahead result of ${date}`, secondsToPublicationOf(day, now))
    throw notFound(`There are no zonal prices of ${date}.`)
  },
  csv: ({ date, unit, national, zones }) => ({
    filename: `pun_zones_${date}`,
    columns: ['date', 'unit', 'national', 'code', 'name', 'value', 'spread_vs_pun'],
    rows: zones.map((zone) => ({ date, unit, national, ...zone })),
  }),
})

function presentZones(date: string, { national, zones, sourceIds }: ZoneSpreads, baseUrl: URL): ZonalPrices {
  return {
    date,
    unit: '€/MWh',
    national: toNative(national),
    zones: zones.flatMap(({ code, name, price, spreadVsPun }) => {
      const known = MARKET_ZONES.find((zone) => zone === code)
      return known ? [{ code: known, name, value: toNative(price), spread_vs_pun: toNative(spreadVsPun) }] : []
    }),
    source: sourceNames(sourceIds),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function exampleZones(): ZonalPrices {
  const zones = [
    { code: 'nord', name: 'North', price: 117.9, spreadVsPun: -0.53 },
    { code: 'sici', name: 'Sicily', price: 121.4, spreadVsPun: 2.97 },
  ]
  return presentZones('2026-11-21', { national: 118.43, zones, sourceIds: ['gme-mgp'] }, EXAMPLE_BASE_URL)
}
