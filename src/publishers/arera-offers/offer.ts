/** Output of the offer parsers: one list of the portal for one day, normalised, with counts of excluded offers. */
import type { MarketDay } from '../../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../../market/offers.ts'
import type { Fault } from '../faults.ts'
import type { ExclusionReason, OfferGroup, OfferNote } from './reasons.ts'

/** Lists that the portal publishes separately. */
export const DATASETS = ['free-power', 'free-gas', 'free-dual', 'placet-power', 'placet-gas'] as const
export type OfferDataset = (typeof DATASETS)[number]

export const DATASET_COMMODITIES: Record<OfferDataset, Commodity | undefined> = {
  'free-power': 'luce',
  'free-gas': 'gas',
  'free-dual': undefined,
  'placet-power': 'luce',
  'placet-gas': 'gas',
}

/** Tariff bands of an offer's prices, in the order of the prices. */
export type Bands = 'single' | 'f1-f2-f3' | 'f1-f23' | 'f2-f13' | 'f3-f12' | 'peak-offpeak'

/** The index a variable offer follows; `other` is a regulated or custom formula. */
export type Reference = 'PUN' | 'PSV' | 'TTF' | 'other'

export type StatedUnit = '€/kWh' | '€/Smc'

export interface Offer {
  /** Hash of the supplier's VAT number, 16 hexadecimal digits: all that is stored about the supplier. */
  supplier: string
  code: string
  commodity: Commodity
  priceType: PriceType
  customer: Customer
  /** Undefined for fixed prices. */
  reference: Reference | undefined
  /** First and last day on which it can be signed; undefined if not stated. */
  validFrom: MarketDay | undefined
  validTo: MarketDay | undefined
  bands: Bands
  /** Energy price of a fixed offer, spread of a variable one; the sum of the standard components. */
  pricesEurKwh: number[]
  /** The same in the published unit. */
  statedPrices: number[]
  statedUnit: StatedUnit
  fixedFeeEurYear: number | undefined
  /** Notes in alphabetical order. */
  notes: OfferNote[]
}

/** Offers excluded for one reason. */
export interface Exclusion {
  reason: ExclusionReason
  offers: number
  /** A few of them: place and offending text. */
  examples: string[]
  /** How many of them are known to belong to each group. */
  groups?: (OfferGroup & { offers: number })[]
}

/** One list on one day. It is stored as a whole or not at all. */
export interface OfferDay {
  kind: 'offer-day'
  dataset: OfferDataset
  day: MarketDay
  /** Each key once, in the order of the document. */
  offers: Offer[]
  excluded: Exclusion[]
  /** Faults of the list as a whole. */
  faults: Fault[]
}

export type PublishedSeries =
  | 'parameters-free-power'
  | 'parameters-free-gas'
  | 'parameters-placet-power'
  | 'parameters-placet-gas'
  | 'index-months'

/** The figures of one document, stored as a whole or not at all. */
export interface PublishedValues {
  kind: 'published-values'
  series: PublishedSeries
  /** Latest day or month of the values. */
  day: MarketDay
  values: PublishedValue[]
  faults: Fault[]
}

export interface PublishedValue {
  /** Name as published: `lambda`, `PUN`. */
  name: string
  /** The day of the publication, or the first day of the month. */
  validOn: MarketDay
  value: number
  /** Undefined if only the description states it. */
  unit: string | undefined
  description: string | undefined
}
