import * as z from 'zod'
import { commodity, OFFER_INDICES } from '../../../market/offers.ts'
import { roundEurKwh } from '../../../market/price-units.ts'
import { secondsToNextOffers } from '../../../publishers/publications.ts'
import { offersSource } from '../../../publishers/sources.ts'
import type { OfferCell } from '../../../store/offer-indices.ts'
import { noData } from '../../contract/errors.ts'
import { type OfferIndices, offerIndices } from '../../contract/offer-indices.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_CELL } from '../example-offers.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { methodologyUrl, presentReference } from '../offer-references.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

/** The four indices of the free market's offers to households. Spec: "Offer indices". */
export const getSvcIndex = endpoint({
  id: 'getSvcIndex',
  method: 'get',
  path: '/svc-index',
  tag: 'Retail offers',
  summary: 'Get indices of retail offers',
  description:
    'Returns mean, median and range of the energy price of active free-market offers to households, by ' +
    'commodity and price type. Outliers are excluded and counted. An index of fewer than five offers, or of ' +
    'fewer than three suppliers, is not shown.',
  plan: 'Open',
  cache: '6h',
  query: z.object({ commodity: commodity.optional().meta({ description: 'Only the indices of this commodity.' }) }),
  reply: offerIndices,
  example: presentIndices([EXAMPLE_CELL], EXAMPLE_BASE_URL),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const cells = (await service.offerIndices.latestCells(today)).filter(
      (cell) =>
        cell.customer === 'domestico' &&
        cell.prices !== undefined &&
        (query.commodity === undefined || cell.commodity === query.commodity),
    )
    if (cells.length === 0) {
      const next = await nextStep({ service, today, now }, offersSource())
      throw noData('An index of the free market', secondsToNextOffers(now), next)
    }
    return presentIndices(cells, service.config.baseUrl)
  },
})

function presentIndices(cells: OfferCell[], baseUrl: URL): OfferIndices {
  const sourceIds = cells.flatMap((cell) => cell.sourceIds)
  const referenceIds = cells.filter(isVariable).flatMap((cell) => cell.referenceSourceIds)
  return {
    updated_at: latestDay(cells),
    indices: OFFER_INDICES.flatMap((index) => {
      const cell = cells.find((one) => one.commodity === index.commodity && one.priceType === index.priceType)
      return cell?.prices ? [{ slug: index.slug, name: index.name, ...presentIndex(cell, cell.prices) }] : []
    }),
    source: sourceNames(sourceIds),
    methodology: methodologyUrl(baseUrl),
    attribution: attributionText([...sourceIds, ...referenceIds], baseUrl),
  }
}

function presentIndex(cell: OfferCell, { mean, median, min, max }: NonNullable<OfferCell['prices']>) {
  const { commodity, priceType, offers, excluded, spreads, reference } = cell
  return {
    commodity,
    price_type: priceType,
    unit: '€/kWh' as const,
    mean: roundEurKwh(mean),
    median: roundEurKwh(median),
    min: roundEurKwh(min),
    max: roundEurKwh(max),
    offers,
    excluded,
    ...(isVariable(cell) && spreads && { spread_vs_reference: roundEurKwh(spreads.mean) }),
    ...(isVariable(cell) && reference && { reference: presentReference(reference) }),
  }
}

function isVariable({ priceType }: OfferCell): boolean {
  return priceType === 'variabile'
}

function latestDay(cells: OfferCell[]): string {
  return cells.map((cell) => cell.day).reduce((a, b) => (a > b ? a : b))
}
