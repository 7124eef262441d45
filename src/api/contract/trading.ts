/** Trading indicators. Spec: "Trading indicators", "GET /trading/vitals", "GET /trading/correlation"; decisions: "Trading". */
import * as z from 'zod'
import { ASSET_CODES, ASSET_SLUGS, type AssetSlug, assetBySlug } from '../../market/assets.ts'
import { GAS_PLANT } from '../../market/gas.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { distinctOf, parsedText } from './parameters.ts'

const WINDOWS_DAYS = [30, 90, 180] as const
/** The default indices. */
const DEFAULT_CORRELATED = ['pun', 'psv', 'ttf'] as const satisfies readonly AssetSlug[]
const ASSETS_MIN = 2

/** Parses the window into a number. */
export const correlationWindow = z
  .enum(WINDOWS_DAYS.map(String))
  .default('30')
  .transform(Number)
  .meta({
    description: 'Calendar days of daily returns.',
    override: { type: 'integer', enum: [...WINDOWS_DAYS], default: WINDOWS_DAYS[0], example: 90 },
  })

/** Parses `pun,psv,brent` into slugs, in that order. */
export const correlatedAssets = parsedText(
  (text): readonly AssetSlug[] | undefined => {
    const known = distinctOf(text, (given) => assetBySlug(given)?.slug)
    return known && known.length >= ASSETS_MIN ? known : undefined
  },
  `must be two or more different ones of ${ASSET_SLUGS.join(', ')}, separated by commas`,
  DEFAULT_CORRELATED.join(','),
).meta({
  description: 'The indices to compare, separated by commas, in the order of the rows and columns.',
  example: 'pun,psv,ttf',
  override: {
    type: 'string',
    default: DEFAULT_CORRELATED.join(','),
    pattern: `^(${ASSET_SLUGS.join('|')})(,(${ASSET_SLUGS.join('|')}))+$`,
  },
})

const source = field.text(
  'Names of the official sources, separated by `; `.',
  'Gestore dei Mercati Energetici S.p.A. (GME)',
)

const input = z
  .strictObject({
    date: field.day('Day of the price: the market day, or the latest of the seven before it.'),
    value: field.number('In the native unit of the index.', 34.127),
  })
  .meta({ id: 'VitalsInput' })

export const vitals = z
  .strictObject({
    date: field.day('Market day.', '2026-11-20'),
    spark_spread: field.number('PUN less the gas burnt for it: PUN − PSV / efficiency.', 56.67),
    clean_spark_spread: field.number(
      'The same less the allowances: spark spread − CO2 × emission factor / efficiency.',
      26.44,
    ),
    psv_ttf_spread: field.number('PSV − TTF.', 2.277),
    atr_14d: z
      .strictObject({
        pun: z.number().nonnegative().meta({ example: 14.02 }),
        psv: z.number().nonnegative().meta({ example: 0.87 }),
      })
      .meta({ description: 'Average True Range over 14 days, Wilder’s smoothing.' }),
    unit: z.literal('€/MWh'),
    assumptions: z
      .strictObject({
        efficiency: field.number('MWh of power from a MWh of gas.', GAS_PLANT.efficiency),
        emission_factor: field.number('Tonnes of CO2 from a MWh of gas.', GAS_PLANT.emissionFactorTonnesMwh),
      })
      .meta({ description: 'The combined-cycle plant whose margin is shown.' }),
    inputs: z
      .strictObject({ pun: input, psv: input, ttf: input, co2: input })
      .meta({ description: 'The prices that the spreads are made of.' }),
    source,
    attribution,
  })
  .meta({ id: 'TradingVitals', description: 'Spreads and volatility of a market day.' })

export type Vitals = z.infer<typeof vitals>

export const correlation = z
  .strictObject({
    window_days: field.integer('Calendar days of daily returns.', 30),
    assets: z
      .array(z.enum(ASSET_CODES))
      .meta({ description: 'Order of the rows and columns.', example: ['PUN', 'PSV', 'TTF'] }),
    matrix: z.array(z.array(z.number().min(-1).max(1))).meta({
      description: 'Pearson correlation of daily returns, from -1 to 1.',
      example: [
        [1, 0.41, 0.38],
        [0.41, 1, 0.93],
        [0.38, 0.93, 1],
      ],
    }),
    from: field.day('Day of the first price used.', '2026-10-21'),
    to: field.day('Last day of the window: the latest that all indices have reached.'),
    returns: z.array(z.array(z.int().nonnegative())).meta({
      description: 'Number of daily returns behind each figure: days on which both indices have a price.',
      example: [
        [30, 30, 21],
        [30, 30, 21],
        [21, 21, 21],
      ],
    }),
    source,
    attribution,
  })
  .meta({ id: 'ReturnCorrelation', description: 'How the daily returns of indices move together.' })

export type Correlation = z.infer<typeof correlation>
