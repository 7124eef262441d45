/** The daily series of an index. Spec: "Daily series". */
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import * as field from './fields.ts'
import { attribution, priceBasis } from './observations.ts'
import { asOfEcho } from './parameters.ts'
import { PLAN_NAMES } from './plans.ts'

/** `kwh` is the consumer unit of energy and gas; `mwh` is the native unit, also of Brent and CO2. */
const SERIES_UNITS = ['kwh', 'mwh'] as const
export type SeriesUnit = (typeof SERIES_UNITS)[number]

export const seriesUnit = z.enum(SERIES_UNITS).default('mwh').meta({
  description: '`mwh`: the native unit of the index; `kwh`: €/kWh with 5 decimals, for PUN, PSV and TTF.',
  example: 'mwh',
})

/** Fields of an interval that was cut. */
export const truncation = {
  truncated: z.literal(true).optional().meta({ description: 'The interval was cut to the depth of the plan.' }),
  required_tier: z
    .enum(PLAN_NAMES)
    .optional()
    .meta({ description: 'The plan that would have given all of it.', example: 'API' }),
}

const point = z
  .strictObject({
    date: field.day('Market day.', '2026-11-21'),
    value: field.number('Price of the day.', 118.43),
    basis: priceBasis,
  })
  .meta({ id: 'SeriesPoint' })

const stats = z
  .strictObject({
    min: z.number().meta({ example: 92.1 }),
    max: z.number().meta({ example: 141.07 }),
    avg: field.number('Mean of the daily prices.', 117.52),
  })
  .meta({ id: 'SeriesStats' })

export const dailySeries = z
  .strictObject({
    asset: z.enum(ASSET_CODES).meta({ description: 'Code of the index.', example: 'PUN' }),
    unit: z.enum(['€/kWh', '€/MWh', '$/bbl', '€/tCO2']).meta({ description: 'Unit of the values.', example: '€/MWh' }),
    from: field.day('First day of the interval returned, after plan limits.', '2026-10-22'),
    to: field.day('Last day of the interval returned, inclusive.', '2026-11-21'),
    ...truncation,
    as_of: asOfEcho,
    count: field.count('Number of points.', 31),
    points: z
      .array(point)
      .meta({ description: 'In chronological order. A day without a complete price has no point.' }),
    stats: stats.optional().meta({ description: 'Statistics of the points. Absent where there is no point.' }),
    source: field.text.optional(
      'Name of the official source; several are separated by `; `. Absent where there is no point.',
      'Gestore dei Mercati Energetici S.p.A. (GME)',
    ),
    last_day: field.day.optional(
      'Where there is no point: the last day that has a price, before `from` or after `to`. Absent with `as_of`.',
      '2024-12-31',
    ),
    attribution,
  })
  .meta({ id: 'DailySeries', description: 'Daily prices of an index over an interval.' })

export type DailySeries = z.infer<typeof dailySeries>

const assetEntry = z
  .strictObject({
    asset: z.enum(ASSET_CODES),
    asset_name: z.string(),
    unit: field.text('Of `value` in observations.'),
    unit_native: field.text('Of series, unless `unit=kwh` is asked for.'),
    from: field.day.optional('First day stored; absent where there is none.'),
    to: field.day.optional('Last day stored.'),
    series: z.string(),
    latest: z.string(),
  })
  .meta({ id: 'AssetEntry' })

export const assetList = z
  .strictObject({ count: z.int(), assets: z.array(assetEntry) })
  .meta({ id: 'AssetList', description: 'The indices, with the days that are stored.' })
export type AssetList = z.infer<typeof assetList>
