/** Day-ahead prices of the zones of a market day. Spec: "Zonal prices". */
import * as z from 'zod'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { asOfEcho } from './parameters.ts'

const zone = z
  .strictObject({
    code: z.enum(ALL_MARKET_ZONES).meta({ description: 'Code of the market zone.', example: 'nord' }),
    name: field.text('Name of the zone.', 'North'),
    value: field.number('Mean of the day’s intervals weighted by their length.', 117.9),
    spread_vs_pun: field.number('Zone price minus national PUN.', -0.53),
  })
  .meta({ id: 'ZonePrice' })

export const zonalPrices = z
  .strictObject({
    date: field.day('Market day, Europe/Rome.', '2026-11-21'),
    unit: z.literal('€/MWh'),
    as_of: asOfEcho,
    national: field.number('PUN of the day.', 118.43),
    zones: z.array(zone).meta({ description: 'A zone with an incomplete day is left out.' }),
    source: field.text('Name of the official source.', 'Gestore dei Mercati Energetici S.p.A. (GME)'),
    attribution,
  })
  .meta({ id: 'ZonalPrices', description: 'Daily price of each market zone and its difference from the PUN.' })

export type ZonalPrices = z.infer<typeof zonalPrices>
