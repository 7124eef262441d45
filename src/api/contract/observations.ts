/** A price observation and the snapshot of all of them. Spec: "Price observation", "Snapshot". */
import * as z from 'zod'
import { ASSET_CODES, ASSETS } from '../../market/assets.ts'
import * as field from './fields.ts'

const UNITS = [...new Set(Object.values(ASSETS).map((asset) => asset.unit))]
const NATIVE_UNITS = [...new Set(Object.values(ASSETS).map((asset) => asset.nativeUnit))]

export const isoDate = z.iso.date()

export const attribution = z.string().meta({
  id: 'Attribution',
  description: 'Text and link to show beside the data.',
  example: 'Source: Gestore dei Mercati Energetici S.p.A. (GME), via Italian Energy Prices, https://energy.example/',
})

export const priceBasis = z.literal('daily_mean').optional().meta({
  description:
    'Set for a PUN whose hours are not known: the mean of the day as its source states it. Absent if the price is computed from hours or quarter-hours, and for all other indices.',
  example: 'daily_mean',
})

export const priceObservation = z
  .strictObject({
    date: field.day('Market day of the observation, Europe/Rome.', '2026-11-21'),
    observed_at: field.instant(
      'When the source published the value, UTC; where it does not say, when it was first seen here.',
      '2026-11-20T11:57:00Z',
    ),
    value: field.number('Price in the consumer unit.', 0.11843),
    unit: z.enum(UNITS).meta({ description: 'Unit of `value`.', example: '€/kWh' }),
    value_native: field.number.optional('Price as the source publishes it. Absent when equal to `value`.', 118.43),
    unit_native: z
      .enum(NATIVE_UNITS)
      .optional()
      .meta({ description: 'Unit of `value_native`. Absent when equal to `unit`.', example: '€/MWh' }),
    basis: priceBasis,
    asset: z.enum(ASSET_CODES).meta({ description: 'Code of the index.', example: 'PUN' }),
    asset_name: field.text('Long name of the index.', ASSETS.PUN.name),
    source: field.text(
      'Name of the official source; several are separated by `; `. Synthetic sample data says so here.',
      'Gestore dei Mercati Energetici S.p.A. (GME)',
    ),
    source_url: z.string().meta({ description: 'Address of the source.', example: 'https://www.mercatoelettrico.org' }),
    attribution,
    age_days: field.integer.optional('Days from `date` to today; in `/prices/{asset}/latest` only.', 1),
    page: z.string().meta({ description: 'Detail page to link.', example: 'https://energy.example/prices/pun' }),
  })
  .meta({ id: 'PriceObservation', description: 'One price of an index for one market day.' })

export type PriceObservation = z.infer<typeof priceObservation>

export const snapshot = z
  .strictObject({
    date: field.day('Market day of PUN; while there is no PUN, the latest day among the values.', '2026-11-21'),
    values: z.partialRecord(z.enum(ASSET_CODES), priceObservation).meta({
      description: 'The latest observation of each index by its code. An index without data is left out, never null.',
    }),
    attribution,
    source_page: z.string().meta({ description: 'Page to link.', example: 'https://energy.example/' }),
    docs: z.string().meta({ description: 'Address of the API base.', example: 'https://energy.example/v1' }),
  })
  .meta({ id: 'Snapshot', description: 'The latest prices of all indices.' })

export type Snapshot = z.infer<typeof snapshot>
