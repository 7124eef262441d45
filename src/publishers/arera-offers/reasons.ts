/** Reasons for excluding an offer, and notes on used ones. Stored with each day and counted in the import summary. */
import type { Customer, PriceType } from '../../market/offers.ts'

/** Each with the sentence that explains it to users. */
export const EXCLUSION_REASONS = {
  missing_key: 'has no VAT number or no code',
  unknown_code: 'has a code that is in no list',
  other_commodity: 'is for another commodity than its file',
  dual_offer: 'is valid only together with another offer',
  unsupported_price_type: 'has neither a fixed nor a variable price (flat or mixed)',
  missing_index: 'is variable and names no index',
  missing_price: 'states no price of the energy',
  missing_band_price: 'states the price of some tariff bands only',
  other_bands: 'states prices of other tariff bands than its own, or of custom bands',
  price_not_constant: 'states different prices for parts of the contract or of the consumption',
  not_a_number: 'has text where a number belongs',
  wrong_unit: 'is priced in an implausible unit, such as €/MWh under €/kWh',
  negative_price: 'has a negative price or fee',
  zero_price: 'has a price of exactly 0',
  absurd_price: 'has a price far beyond any market',
  absurd_fee: 'has a fixed fee far beyond any market',
  impossible_date: 'has a date the calendar does not have, or ends before it begins',
  expired: 'could no longer be signed on that day',
  not_yet_valid: 'could not yet be signed on that day',
  duplicate: 'is listed more than once, always the same: counted once',
  conflicting_duplicate: 'is listed more than once with different contents: which one is valid is not known',
} as const
export type ExclusionReason = keyof typeof EXCLUSION_REASONS

export const NOTES = {
  discounts: 'grants discounts, which are not in the price',
  optional_components: 'has optional components, which are not in the price',
  optional_fee: 'calls its fixed fee optional: it is not counted',
  fee_not_stated: 'states no fixed fee, or 0 where that means none stated',
  power_fee: 'has a fee by kW, which is not in the fixed fee',
  one_off_fee: 'has a one-off fee, which is not in the fixed fee',
  zero_spread: 'adds nothing to its index',
  negative_component: 'has a component that lowers its price',
  part_of_contract: 'promises its price for part of the contract only',
  local: 'holds in part of the country only',
  limited_consumption: 'holds for some yearly consumptions or capacities only',
} as const
export type OfferNote = keyof typeof NOTES

/** The index that an offer counts towards. */
export interface OfferGroup {
  priceType: PriceType
  customer: Customer
}

/** Thrown while an offer is read; caught by `OfferList`, which counts it. */
export class ExcludedOffer extends Error {
  readonly reason: ExclusionReason
  /** Description with the offending text, never with the supplier. */
  readonly detail: string
  /** Undefined if the offer was excluded before its group was known. */
  group: OfferGroup | undefined
  constructor(reason: ExclusionReason, detail: string) {
    super(detail)
    this.name = 'ExcludedOffer'
    this.reason = reason
    this.detail = detail
  }
}

/** Reads the rest of an offer once its group is known; adds the group to the error if the offer is excluded. */
export function inGroup<Value>(group: OfferGroup, read: () => Value): Value {
  try {
    return read()
  } catch (err) {
    if (err instanceof ExcludedOffer) err.group = group
    throw err
  }
}
