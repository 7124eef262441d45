/** The four indices of the free market. Spec: "Offer indices (`/svc-index`)". */
import * as z from 'zod'
import { commodity, OFFER_INDICES, priceType } from '../../market/offers.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'

/** Average of a wholesale index with which offers are compared. */
export const offerReference = z
  .strictObject({
    asset: z.enum(['PUN', 'PSV']).meta({ description: 'PUN for electricity, PSV for gas.', example: 'PUN' }),
    from: field.day('First day of the average.', '2026-10-01'),
    to: field.day('Last day of the average.', '2026-10-31'),
    value: field.number('Average of those days, €/kWh.', 0.11214),
  })
  .meta({ id: 'OfferReference', description: 'The average of the wholesale index that offers are measured against.' })

export type OfferReference = z.infer<typeof offerReference>

const offerIndex = z
  .strictObject({
    slug: z.enum(OFFER_INDICES.map(({ slug }) => slug)).meta({
      description: 'Stable identifier of the index.',
      example: 'mercato-libero-luce-variabile',
    }),
    name: field.text('Name of the index.', 'Free market, electricity, variable price'),
    commodity,
    price_type: priceType,
    unit: z.literal('€/kWh'),
    mean: field.number('Mean raw-material price of the active offers.', 0.12874),
    median: field.number('Median of the same.', 0.12714),
    min: field.number('Lowest price of the range.', 0.11714),
    max: field.number('Highest price of the range.', 0.15414),
    offers: z.int().min(5).meta({ description: 'Offers considered, outliers left out.', example: 412 }),
    excluded: field.count('Offers left out as outliers.', 3),
    spread_vs_reference: field.number.optional('Variable indices only: average spread over `reference`.', 0.0166),
    reference: offerReference.optional().meta({
      description: 'Variable indices only: the last full month of PUN or PSV, to which each spread is added.',
    }),
  })
  .meta({ id: 'OfferIndex' })

/** Source of the offers and methodology of the figures. */
export const offerOrigin = {
  source: field.text('Name of the offers portal.', 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)'),
  methodology: field.text('Page with every rule.', 'https://energy.example/docs/offer-indices'),
  attribution,
}

export const offerIndices = z
  .strictObject({
    updated_at: field.day('Day of the latest publication of offers.', '2026-11-21'),
    indices: z
      .array(offerIndex)
      .min(1)
      .meta({ description: 'An index of fewer than five offers, or of fewer than three suppliers, is left out.' }),
    ...offerOrigin,
  })
  .meta({ id: 'OfferIndices', description: 'Indices of the offers to households in the free market.' })

export type OfferIndices = z.infer<typeof offerIndices>
