/** Percentiles of the free market's offers. Spec: "Free-market statistics (`/mercato-libero/stats`)". */
import * as z from 'zod'
import { commodity, customer, priceType } from '../../market/offers.ts'
import * as field from './fields.ts'
import { offerOrigin, offerReference } from './offer-indices.ts'

/** Reference price of the spread, by kind of offer. */
export const SPREAD_BASES = {
  variabile: 'last_full_month',
  fisso: 'trailing_30_days',
} as const

const spreads = z
  .strictObject({
    p10: field.number('10th percentile.', 0.009),
    p25: field.number('25th percentile.', 0.0121),
    median: field.number('Median.', 0.0152),
    p75: field.number('75th percentile.', 0.0205),
    p90: field.number('90th percentile.', 0.0298),
  })
  .meta({ id: 'SpreadPercentiles', description: 'Spread over PUN for electricity, over PSV for gas, €/kWh.' })

const fees = z
  .strictObject({
    p10: field.number('10th percentile.', 6),
    median: field.number('Median.', 10),
    p90: field.number('90th percentile.', 15),
  })
  .meta({ id: 'FeePercentiles', description: 'Fixed commercial fee, € a month.' })

export const offerStatistics = z
  .strictObject({
    commodity,
    price_type: priceType,
    customer,
    offers: z.int().min(5).meta({ description: 'Active offers considered, outliers left out.', example: 412 }),
    excluded: field.count('Offers left out as outliers.', 3),
    spread_eur_kwh: spreads,
    spread_basis: z.enum(SPREAD_BASES).meta({
      description:
        '`last_full_month`: the spread that variable offers state themselves, added to the index of the month. ' +
        '`trailing_30_days`: price of fixed offers minus the average of the index over the 30 days before.',
      example: 'last_full_month',
    }),
    reference: offerReference.optional().meta({
      description: 'What the spread is over. Absent for variable offers while the index has no full month of late.',
    }),
    fixed_cost_eur_month: fees
      .optional()
      .meta({ description: 'Absent where fewer than five offers state a fixed fee.' }),
    updated_at: field.day('Day of the latest publication of offers.', '2026-11-21'),
    ...offerOrigin,
  })
  .meta({
    id: 'OfferStatistics',
    description: 'How spreads and fixed fees differ among the offers of the free market.',
  })

export type OfferStatistics = z.infer<typeof offerStatistics>
