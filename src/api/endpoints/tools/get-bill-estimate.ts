import * as z from 'zod'
import { estimateBill } from '../../../market/bill-estimate.ts'
import { KWH_PER_SMC } from '../../../market/gas.ts'
import { type Commodity, commodity, type PriceType, priceType } from '../../../market/offers.ts'
import { roundEurKwh } from '../../../market/price-units.ts'
import { round } from '../../../market/rounding.ts'
import { secondsToNextOffers } from '../../../publishers/publications.ts'
import { offersSource } from '../../../publishers/sources.ts'
import type { OfferCell, ReferenceAverage } from '../../../store/offer-indices.ts'
import { annualConsumption, type BillEstimate, billEstimate } from '../../contract/bill-estimate.ts'
import { noData } from '../../contract/errors.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_CELL, EXAMPLE_REFERENCE } from '../example-offers.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { lastFullMonth, presentReference } from '../offer-references.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

/** The regulator's own comparison of all offers. */
const COMPARISON_PAGE = 'https://www.ilportaleofferte.it/'

/**
 * An order of magnitude, not the share of an actual bill: in the regulator's breakdown, energy and its sale are 40 to 60%
 * of a household's bill, less when prices are low.
 */
const NOT_INCLUDED = {
  items: ['fixed fee of the seller', 'transport and metering', 'system charges', 'excise duty and VAT'],
  share_of_bill_pct: { from: 40, to: 60 },
}

/** Yearly energy cost of a household. Spec: "Bill estimate"; decisions: "Tools". */
export const getBillEstimate = endpoint({
  id: 'getBillEstimate',
  method: 'get',
  path: '/tools/bill-estimate',
  tag: 'Tools',
  summary: 'Estimate a bill',
  description:
    'Returns the cost of the energy component for an annual consumption: at the median of the fixed offers, or' +
    ' at the last full month of PUN or PSV plus the median spread of the variable offers. Transport, system ' +
    'charges and taxes are not included.',
  plan: 'Open',
  cache: '6h',
  query: z.object({
    commodity,
    consumption: annualConsumption,
    price_type: priceType.default('variabile').meta({
      description: 'Median of the fixed offers (`fisso`), or index plus median spread (`variabile`).',
    }),
  }),
  reply: billEstimate,
  example: presentEstimate(
    { commodity: 'luce', consumption: 2700 },
    variablePrice(EXAMPLE_CELL, { average: EXAMPLE_REFERENCE, sourceIds: ['gme-mgp'] }),
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const price = await currentPrice(query.commodity, query.price_type, { service, today, now })
    return presentEstimate(query, price, service.config.baseUrl)
  },
})

/** A price with its assumptions. */
interface EnergyPrice {
  eurKwh: number
  cell: OfferCell
  reference?: ReferenceAverage
  medianSpread?: number
  basis: string
  sourceIds: string[]
}

async function currentPrice(commodity: Commodity, priceType: PriceType, context: HandlerContext): Promise<EnergyPrice> {
  const cells = await context.service.offerIndices.latestCells(context.today)
  const cell = cells.find(
    (one) => one.commodity === commodity && one.priceType === priceType && one.customer === 'domestico',
  )
  if (cell === undefined) {
    const next = await nextStep(context, offersSource())
    throw noData('A price of enough offers of this kind', secondsToNextOffers(context.now), next)
  }
  return priceType === 'fisso' ? fixedPrice(cell) : variablePrice(cell, await lastFullMonth(commodity, context))
}

function fixedPrice(cell: OfferCell): EnergyPrice {
  if (cell.prices === undefined) throw new Error('fixed offers without a price')
  const basis = `Median price of ${cell.offers} fixed offers.`
  return { eurKwh: cell.prices.median, cell, basis, sourceIds: cell.sourceIds }
}

function variablePrice(
  cell: OfferCell,
  { average, sourceIds }: { average: ReferenceAverage; sourceIds: string[] },
): EnergyPrice {
  if (cell.spreads === undefined) throw new Error('variable offers without a spread')
  const { asset, from, to, eurKwh } = average
  return {
    eurKwh: eurKwh + cell.spreads.median,
    cell,
    reference: average,
    medianSpread: cell.spreads.median,
    basis: `Average ${asset} from ${from} to ${to} plus the median spread of ${cell.offers} variable offers.`,
    sourceIds: [...cell.sourceIds, ...sourceIds],
  }
}

/** The cost is computed from the price as shown, so that readers can reproduce it. */
function presentEstimate(
  { commodity, consumption }: { commodity: Commodity; consumption: number },
  { eurKwh, cell, reference, medianSpread, basis, sourceIds }: EnergyPrice,
  baseUrl: URL,
): BillEstimate {
  const price = roundEurKwh(eurKwh)
  const { energyCostYear, energyCostMonth } = estimateBill(commodity, consumption, price)
  return {
    commodity,
    consumption,
    consumption_unit: commodity === 'gas' ? 'Smc/year' : 'kWh/year',
    energy_price_eur_kwh: price,
    energy_cost_year_eur: round(energyCostYear, 2),
    energy_cost_month_eur: round(energyCostMonth, 2),
    basis,
    assumptions: {
      price_type: cell.priceType,
      customer: 'domestico',
      offers: cell.offers,
      ...(reference && { reference: presentReference(reference) }),
      ...(medianSpread !== undefined && { median_spread_eur_kwh: roundEurKwh(medianSpread) }),
      ...(commodity === 'gas' && { kwh_per_smc: KWH_PER_SMC }),
    },
    not_included: NOT_INCLUDED,
    compare_offers: COMPARISON_PAGE,
    updated_at: cell.day,
    source: sourceNames(cell.sourceIds),
    attribution: attributionText(sourceIds, baseUrl),
  }
}
