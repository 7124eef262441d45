/** The zones as reference data: an addition to the specification. */
import * as z from 'zod'
import { isoDate } from './observations.ts'

const region = z
  .strictObject({
    code: z.string().meta({ description: 'ISO 3166-2.', example: 'IT-52' }),
    name: z.string().meta({ example: 'Toscana' }),
  })
  .meta({ id: 'Region' })

const zone = z
  .strictObject({
    code: z.string().meta({ description: 'As in `zone=` where prices are stored.', example: 'cnor' }),
    name: z.string().meta({ example: 'Centre-North' }),
    name_it: z.string().meta({ example: 'Centro-Nord' }),
    kind: z.enum(['national', 'market', 'production-pole']).meta({
      description:
        '`national`: the PUN. `market`: a zone of the market. `production-pole`: a former pole of limited production.',
      example: 'market',
    }),
    eic: z.string().optional().meta({
      description: 'Energy Identification Code of the bidding zone (ENTSO-E).',
      example: '10Y1001A1001A70O',
    }),
    exists: z.boolean().meta({ description: 'Whether it is a zone today.', example: true }),
    has_prices: z.boolean().meta({ description: 'Whether its prices are offered here.', example: true }),
    valid_from: isoDate.optional().meta({
      description:
        'First market day, of those whose prices are offered here: not before the market began, 1 April 2004.',
      example: '2004-04-01',
    }),
    valid_to: isoDate.optional().meta({
      description: 'Last market day. Absent while it exists, and where it is not known here.',
      example: '2020-12-31',
    }),
    extents: z
      .array(
        z
          .strictObject({
            from: isoDate
              .optional()
              .meta({ description: 'First day; absent where it is that of the zone.', example: '2021-01-01' }),
            to: isoDate.optional().meta({ description: 'Last day; absent while it applies.', example: '2020-12-31' }),
            regions: z.array(region),
          })
          .meta({ id: 'ZoneExtent' }),
      )
      .meta({
        description:
          'The regions it consists of, in order of time; empty for the PUN, which is all of Italy, and for poles.',
      }),
  })
  .meta({ id: 'Zone' })

export const zoneList = z
  .strictObject({ count: z.int().positive().meta({ example: 13 }), zones: z.array(zone) })
  .meta({ id: 'ZoneList', description: 'Zones of the Italian day-ahead market, with those that are gone.' })
export type ZoneList = z.infer<typeof zoneList>
