/** Day-ahead prices of the zones of a market day. Spec: "Zonal prices". */
import * as z from 'zod'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import { attribution, isoDate } from './observations.ts'
import { asOfEcho } from './parameters.ts'

const zone = z
  .strictObject({
    code: z.enum(ALL_MARKET_ZONES).meta({ description: 'Code of the market zone.', example: 'nord' }),
    name: z.string().meta({ description: 'Name of the zone.', example: 'North' }),
    value: z.number().meta({ description: 'Mean of the day’s intervals weighted by their length.', example: 117.9 }),
    spread_vs_pun: z.number().meta({ description: 'Zone price minus national PUN.', example: -0.53 }),
  })
  .meta({ id: 'ZonePrice' })

export const zonalPrices = z
  .strictObject({
    date: isoDate.meta({ description: 'Market day, Europe/Rome.', example: '2026-11-21' }),
    unit: z.literal('€/MWh'),
    as_of: asOfEcho,
    national: z.number().meta({ description: 'PUN of the day.', example: 118.43 }),
    zones: z.array(zone).meta({ description: 'A zone with an incomplete day is left out.' }),
    source: z
      .string()
      .meta({ description: 'Name of the official source.', example: 'Gestore dei Mercati Energetici S.p.A. (GME)' }),
    attribution,
  })
  .meta({ id: 'ZonalPrices', description: 'Daily price of each market zone and its difference from the PUN.' })

export type ZonalPrices = z.infer<typeof zonalPrices>
