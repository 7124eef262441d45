/** Yearly energy cost of a consumer. Spec: "Bill estimate (`/tools/bill-estimate`)". */
import * as z from 'zod'
import { commodity, priceType } from '../../market/offers.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { offerReference } from './offer-indices.ts'
import { parsedText } from './parameters.ts'

const CONSUMPTION_MAX = 1e9
const DECIMAL = /^\d{1,10}(?:\.\d{1,9})?$/

/** A decimal number as text, more than 0 and at most 10⁹. */
export const annualConsumption = parsedText((text) => {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  return value > 0 && value <= CONSUMPTION_MAX ? value : undefined
}, 'must be a decimal number such as 2700, more than 0 and at most 1000000000').meta({
  description: 'Annual consumption: kWh of electricity, Smc of gas.',
  example: '2700',
  override: { type: 'number', exclusiveMinimum: 0, maximum: CONSUMPTION_MAX, example: 2700 },
})

const assumptions = z
  .strictObject({
    price_type: priceType,
    customer: z.literal('domestico').meta({ description: 'The offers are those to households.' }),
    offers: z.int().min(5).meta({ description: 'Offers behind the price.', example: 412 }),
    reference: offerReference
      .optional()
      .meta({ description: 'Variable price: the index that the spread is added to.' }),
    median_spread_eur_kwh: field.number.optional('Variable price: median spread of the offers, €/kWh.', 0.0152),
    kwh_per_smc: field.number.optional('Gas: energy of a standard cubic metre, kWh.', 10.7),
  })
  .meta({ id: 'BillAssumptions', description: 'Everything the estimate rests on.' })

const notIncluded = z
  .strictObject({
    items: z.array(z.string()).meta({ description: 'Components of a bill that are not included.', example: ['taxes'] }),
    share_of_bill_pct: z
      .strictObject({ from: z.number().meta({ example: 40 }), to: z.number().meta({ example: 60 }) })
      .meta({ description: 'Their share of a household’s whole bill, in percent; an order of magnitude only.' }),
  })
  .meta({ id: 'BillNotIncluded' })

export const billEstimate = z
  .strictObject({
    commodity,
    consumption: field.number('Annual consumption as requested.', 2700),
    consumption_unit: z
      .enum(['kWh/year', 'Smc/year'])
      .meta({ description: 'Unit of the consumption.', example: 'kWh/year' }),
    energy_price_eur_kwh: field.number('Raw-material price used, €/kWh.', 0.12734),
    energy_cost_year_eur: field.number('Annual raw-material cost, €.', 343.82),
    energy_cost_month_eur: field.number('A twelfth of it, €.', 28.65),
    basis: field.text(
      'What the estimate is made of, to display to the user.',
      'PUN of 2026-10-01 to 2026-10-31 plus the median spread of 412 variable offers.',
    ),
    assumptions,
    not_included: notIncluded,
    compare_offers: field.text('Page that compares offers.', 'https://www.ilportaleofferte.it/'),
    updated_at: field.day('Day of the latest publication of offers.', '2026-11-21'),
    source: field.text('Name of the offers portal.', 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)'),
    attribution,
  })
  .meta({ id: 'BillEstimate', description: 'Cost of the raw material alone: no transport, charges or taxes.' })

export type BillEstimate = z.infer<typeof billEstimate>
