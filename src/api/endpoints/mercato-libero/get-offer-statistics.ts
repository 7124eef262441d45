import * as z from 'zod'
import { commodity, customer, priceType } from '../../../market/offers.ts'
import { roundEurKwh, roundEuro } from '../../../market/price-units.ts'
import { secondsToNextOffers } from '../../../publishers/publications.ts'
import { offersSource } from '../../../publishers/sources.ts'
import type { OfferCell } from '../../../store/offer-indices.ts'
import { noData } from '../../contract/errors.ts'
import { type OfferStatistics, offerStatistics, SPREAD_BASES } from '../../contract/offer-statistics.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_CELL } from '../example-offers.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { methodologyUrl, presentReference } from '../offer-references.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

/** Percentiles of spread and fixed fee over the free market's offers. Spec: "Free-market statistics". */
export const getOfferStatistics = endpoint({
  id: 'getOfferStatistics',
  method: 'get',
  path: '/mercato-libero/stats',
  tag: 'Retail offers',
  summary: 'Get statistics of retail offers',
  description:
    'Returns the distribution of the spread over PUN or PSV, and of the fixed fee, among active offers. For ' +
    'fixed prices the spread is the price minus the 30-day average of the index; `spread_basis` states which ' +
    'definition applies. CSV has one row.',
  plan: 'API',
  cache: '6h',
  formats: ['json', 'csv'],
  query: z.object({
    commodity,
    price_type: priceType.default('variabile'),
    customer: customer.default('domestico'),
  }),
  reply: offerStatistics,
  example: presentStatistics(EXAMPLE_CELL, EXAMPLE_BASE_URL),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const cell = (await service.offerIndices.latestCells(today)).find(
      (one) =>
        one.commodity === query.commodity && one.priceType === query.price_type && one.customer === query.customer,
    )
    if (cell?.spreads === undefined) {
      const next = await nextStep({ service, today, now }, offersSource())
      throw noData('A statistic of enough offers of this kind', secondsToNextOffers(now), next)
    }
    return presentStatistics(cell, service.config.baseUrl)
  },
  table: ({ spread_eur_kwh: spread, fixed_cost_eur_month: fee, reference, methodology: _page, ...row }) => ({
    filename: `mercato-libero_${row.commodity}_${row.price_type}_${row.customer}_${row.updated_at}`,
    columns: [
      ...['commodity', 'price_type', 'customer', 'offers', 'excluded'],
      ...['p10', 'p25', 'median', 'p75', 'p90'].map((name) => `spread_eur_kwh_${name}`),
      'spread_basis',
      ...['asset', 'from', 'to', 'value'].map((name) => `reference_${name}`),
      ...['p10', 'median', 'p90'].map((name) => `fixed_cost_eur_month_${name}`),
      'updated_at',
    ],
    rows: [
      {
        ...row,
        ...prefixed('spread_eur_kwh', spread),
        ...prefixed('reference', reference),
        ...prefixed('fixed_cost_eur_month', fee),
      },
    ],
  }),
})

function presentStatistics(cell: OfferCell, baseUrl: URL): OfferStatistics {
  const { commodity, priceType, customer, offers, excluded, spreads, reference, fees, sourceIds } = cell
  if (spreads === undefined) throw new Error('statistics without a spread')
  return {
    commodity,
    price_type: priceType,
    customer,
    offers,
    excluded,
    spread_eur_kwh: {
      p10: roundEurKwh(spreads.p10),
      p25: roundEurKwh(spreads.p25),
      median: roundEurKwh(spreads.median),
      p75: roundEurKwh(spreads.p75),
      p90: roundEurKwh(spreads.p90),
    },
    spread_basis: SPREAD_BASES[priceType],
    ...(reference && { reference: presentReference(reference) }),
    ...(fees && {
      fixed_cost_eur_month: { p10: roundEuro(fees.p10), median: roundEuro(fees.median), p90: roundEuro(fees.p90) },
    }),
    updated_at: cell.day,
    source: sourceNames(sourceIds),
    methodology: methodologyUrl(baseUrl),
    attribution: attributionText([...sourceIds, ...cell.referenceSourceIds], baseUrl),
  }
}

/** `prefixed('fee', { p10: 6 })` is `{ fee_p10: 6 }`: nested names as columns. */
function prefixed(prefix: string, values: Record<string, string | number> = {}): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
}
