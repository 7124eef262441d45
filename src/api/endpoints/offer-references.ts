/** How endpoints show the reference prices of offers. */

import { type Commodity, OFFERS_METHODOLOGY_PATH, REFERENCE_ASSETS } from '../../market/offers.ts'
import { roundEurKwh } from '../../market/price-units.ts'
import type { ReferenceAverage } from '../../store/offer-indices.ts'
import type { OfferReference } from '../contract/offer-indices.ts'
import type { HandlerContext } from '../http/endpoint.ts'
import { noPriceYet } from './next-step.ts'

export function presentReference({ asset, from, to, eurKwh }: ReferenceAverage): OfferReference {
  return { asset, from, to, value: roundEurKwh(eurKwh) }
}

/** Returns the average of a commodity's index over the last full month. Throws `no_data` if there is none. */
export async function lastFullMonth(commodity: Commodity, context: HandlerContext) {
  const { service, today } = context
  const found = await service.offerIndices.lastFullMonth(commodity, today)
  if (found !== undefined) return found
  const asset = REFERENCE_ASSETS[commodity]
  throw await noPriceYet(context, asset, `A full month of the ${asset}`)
}

export function methodologyUrl(baseUrl: URL): string {
  return new URL(OFFERS_METHODOLOGY_PATH, baseUrl).href
}
