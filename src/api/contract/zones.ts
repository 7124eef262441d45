/** The zones as reference data: an addition to the specification. */
import * as z from 'zod'
import * as field from './fields.ts'

const region = z
  .strictObject({
    code: field.text('ISO 3166-2.', 'IT-52'),
    name: z.string().meta({ example: 'Toscana' }),
  })
  .meta({ id: 'Region' })

const zone = z
  .strictObject({
    code: field.text('As in `zone=` where prices are stored.', 'cnor'),
    name: z.string().meta({ example: 'Centre-North' }),
    name_it: z.string().meta({ example: 'Centro-Nord' }),
    kind: z.enum(['national', 'market', 'production-pole']).meta({
      description:
        '`national`: the PUN. `market`: a zone of the market. `production-pole`: a former pole of limited production.',
      example: 'market',
    }),
    eic: field.text.optional('Energy Identification Code of the bidding zone (ENTSO-E).', '10Y1001A1001A70O'),
    exists: field.flag('Whether it is a zone today.', true),
    has_prices: field.flag('Whether its prices are offered here.', true),
    valid_from: field.day.optional(
      'First market day, of those whose prices are offered here: not before the market began, 1 April 2004.',
      '2004-04-01',
    ),
    valid_to: field.day.optional(
      'Last market day. Absent while it exists, and where it is not known here.',
      '2020-12-31',
    ),
    extents: z
      .array(
        z
          .strictObject({
            from: field.day.optional('First day; absent where it is that of the zone.', '2021-01-01'),
            to: field.day.optional('Last day; absent while it applies.', '2020-12-31'),
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
