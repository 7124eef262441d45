/** The four indices of the free market. Spec: "Offer indices (`/svc-index`)". */
import * as z from 'zod'
import { commodity, OFFER_INDICES, priceType } from '../../market/offers.ts'
import { attribution, isoDate } from './observations.ts'

/** Average of a wholesale index that offers are measured against. */
export const offerReference = z
  .strictObject({
    asset: z.enum(['PUN', 'PSV']).meta({ description: 'PUN for electricity, PSV for gas.', example: 'PUN' }),
    from: isoDate.meta({ description: 'First day of the average.', example: '2026-10-01' }),
    to: isoDate.meta({ description: 'Last day of the average.', example: '2026-10-31' }),
    value: z.number().meta({ description: 'Average of those days, €/kWh.', example: 0.11214 }),
  })
  .meta({ id: 'OfferReference', description: 'The average of the wholesale index that offers are measured against.' })

export type OfferReference = z.infer<typeof offerReference>

const offerIndex = z
  .strictObject({
    slug: z.enum(OFFER_INDICES.map(({ slug }) => slug)).meta({
      description: 'Stable identifier of the index.',
      example: 'mercato-libero-luce-variabile',
    }),
    name: z.string().meta({ description: 'Name of the index.', example: 'Free market, electricity, variable price' }),
    commodity,
    price_type: priceType,
    unit: z.literal('€/kWh'),
    mean: z.number().meta({ description: 'Mean raw-material price of the active offers.', example: 0.12874 }),
    median: z.number().meta({ description: 'Median of the same.', example: 0.12714 }),
    min: z.number().meta({ description: 'Lowest price of the range.', example: 0.11714 }),
    max: z.number().meta({ description: 'Highest price of the range.', example: 0.15414 }),
    offers: z.int().min(5).meta({ description: 'Offers considered, outliers left out.', example: 412 }),
    excluded: z.int().nonnegative().meta({ description: 'Offers left out as outliers.', example: 3 }),
    spread_vs_reference: z.number().optional().meta({
      description: 'Variable indices only: average spread over `reference`.',
      example: 0.0166,
    }),
    reference: offerReference.optional().meta({
      description: 'Variable indices only: the last full month of PUN or PSV, to which each spread is added.',
    }),
  })
  .meta({ id: 'OfferIndex' })

/** Whose offers they are, and by which rules. */
export const offerOrigin = {
  source: z
    .string()
    .meta({ description: 'Name of the offers portal.', example: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)' }),
  methodology: z
    .string()
    .meta({ description: 'Page with every rule.', example: 'https://energy.example/docs/offer-indices' }),
  attribution,
}

export const offerIndices = z
  .strictObject({
    updated_at: isoDate.meta({ description: 'Day of the latest publication of offers.', example: '2026-11-21' }),
    indices: z
      .array(offerIndex)
      .min(1)
      .meta({ description: 'An index of fewer than five offers, or of fewer than three suppliers, is left out.' }),
    ...offerOrigin,
  })
  .meta({ id: 'OfferIndices', description: 'Indices of the offers to households in the free market.' })

export type OfferIndices = z.infer<typeof offerIndices>
