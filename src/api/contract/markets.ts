/** Markets after the day-ahead auction: intraday auctions, the continuous market, imbalance settlement. */
import * as z from 'zod'
import { MARKET_AREAS, MARKETS } from '../../market/markets.ts'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import * as field from './fields.ts'
import { startsAt, utcTimes } from './hourly.ts'
import { attribution } from './observations.ts'
import { anyCase, asOfEcho } from './parameters.ts'

export const market = z.enum(MARKETS).meta({
  id: 'Market',
  description:
    '`mi-a1` to `mi-a3`: intraday auctions (`mi1` to `mi7` until 21 September 2021). `xbid`: the continuous market, `xbid-hour` its hour ' +
    'products. `imbalance`: imbalance settlement by macrozone.',
  example: 'imbalance',
})

const marketArea = anyCase(
  z.enum(MARKET_AREAS).meta({
    id: 'MarketArea',
    description: 'Market zone; of `imbalance` a macrozone, `macro-nord` or `macro-sud`, which no other market has.',
    example: 'macro-nord',
  }),
)
export const marketAreas = anyCase(
  z.enum(['all', ...MARKET_AREAS]).meta({
    description: 'As requested: a market zone, of `imbalance` a macrozone, or `all`.',
    example: 'macro-nord',
  }),
)
export const marketZone = anyCase(z.enum(ALL_MARKET_ZONES).meta({ description: 'Market zone.', example: 'nord' }))

const name = field.text('What it is.', 'Imbalance settlement, by macrozone')
const source = field.text('Name of the publisher.', 'Terna S.p.A.')
const eurMwh = (description: string, example: number) => field.number(`${description}, €/MWh.`, example)

export const marketPrices = z
  .strictObject({
    market,
    name,
    zone: marketAreas,
    unit: z.literal('€/MWh'),
    timezone: z.literal('Europe/Rome'),
    from: field.day('First day requested.', '2026-11-20'),
    to: field.day('Last day requested, inclusive.', '2026-11-20'),
    as_of: asOfEcho,
    count: field.positive('Intervals returned: one that is missing is not among them.', 96),
    points: z.array(
      z
        .strictObject({
          date: field.day('Market day.', '2026-11-20'),
          starts_at: startsAt,
          starts_at_utc: utcTimes.starts_at_utc,
          zone: marketArea.optional().meta({ description: 'The zone or macrozone; with `zone=all`.' }),
          minutes: field.positive('Length of the interval.', 15),
          value: eurMwh('Price', 118.4),
          base_price: field.number.optional('Base price of the imbalance price, €/MWh.', 118.4),
          incentive_component: field.number.optional('Incentive component of the imbalance price, €/MWh.', 0),
          imbalance_mwh: field.number.optional(
            'Aggregate imbalance of the macrozone, MWh: positive where it is long. Absent where it is not published.',
            -42.5,
          ),
          status: z
            .enum(['final', 'preliminary'])
            .meta({ description: 'Prices of auctions are final; imbalance prices are preliminary first.' }),
          known_at: field.instant(
            'From when on it was known, UTC: when it was read, or of history its usual publication.',
            '2026-11-21T16:00:00Z',
          ),
        })
        .meta({ id: 'MarketPoint' }),
    ),
    source,
    attribution,
  })
  .meta({ id: 'MarketPrices', description: 'Prices of a market in a zone or macrozone.' })
export type MarketPrices = z.infer<typeof marketPrices>

export const marketSpreads = z
  .strictObject({
    market,
    name,
    zone: marketZone,
    macrozone: marketArea
      .optional()
      .meta({ description: 'In which deviations of the zone are settled; of `imbalance`.' }),
    unit: z.literal('€/MWh'),
    from: field.text('First month, YYYY-MM.', '2026-01'),
    to: field.text('Last month, YYYY-MM.', '2026-11'),
    count: field.positive('Rows returned.', 24),
    rows: z.array(
      z
        .strictObject({
          month: field.text('Month, YYYY-MM.', '2026-11'),
          clock_hour: z.int().min(0).max(23).meta({ description: 'Hour of the day in Rome.', example: 18 }),
          hours: field.positive('Hours in which both prices are whole.', 20),
          mean: eurMwh('Mean of the market’s price minus the day-ahead price of the zone', 3.1),
          p10: eurMwh('A tenth of the differences are below it', -21.4),
          p90: eurMwh('A tenth of the differences are above it', 28.7),
          share_above: field.number('Share of hours in which the market was dearer, 0 to 1.', 0.55),
        })
        .meta({ id: 'MarketSpread' }),
    ),
  })
  .meta({
    id: 'MarketSpreads',
    description: 'Differences of a market from the day-ahead price, by month and hour of the day.',
  })
export type MarketSpreads = z.infer<typeof marketSpreads>

export const marketList = z
  .strictObject({
    markets: z.array(
      z
        .strictObject({
          market,
          name,
          usual_publication: field.text('When a market day is usually published.', '17:00 Europe/Rome 1 day later'),
          source,
          terms: field.text('What the publisher allows.'),
          zones: z
            .array(
              z.strictObject({
                zone: marketArea,
                from: field.day('First day stored.', '2025-01-01'),
                to: field.day('Last day stored, preliminary ones included.', '2026-11-20'),
                resolution_minutes: field.integer('Length of the last interval stored, minutes.', 15),
              }),
            )
            .meta({ description: 'What there is of it; empty where nothing is.' }),
        })
        .meta({ id: 'MarketDescription' }),
    ),
  })
  .meta({ id: 'MarketList', description: 'Every market after the day-ahead auction, and what there is of it.' })
export type MarketList = z.infer<typeof marketList>
