/** Classification of retail offers. Spec: "Free-market statistics", "GET /mercato-libero/stats"; the Italian words are the contract's. */
import * as z from 'zod'
import type { AssetCode } from './assets.ts'

/** Electricity and gas. */
export const COMMODITIES = ['luce', 'gas'] as const
export type Commodity = (typeof COMMODITIES)[number]

/** A price fixed for the contract's term, or an index plus a spread. */
export const PRICE_TYPES = ['fisso', 'variabile'] as const
export type PriceType = (typeof PRICE_TYPES)[number]

/** Households, and everybody else. */
export const CUSTOMERS = ['domestico', 'business'] as const
export type Customer = (typeof CUSTOMERS)[number]

/** The wholesale index that the offers of a commodity are measured against. */
export const REFERENCE_ASSETS = { luce: 'PUN', gas: 'PSV' } as const satisfies Record<Commodity, AssetCode>

export const commodity = z
  .enum(COMMODITIES)
  .meta({ description: 'Electricity (`luce`) or natural gas (`gas`).', example: 'luce' })

export const priceType = z
  .enum(PRICE_TYPES)
  .meta({ description: 'Fixed price (`fisso`) or index plus spread (`variabile`).', example: 'variabile' })

export const customer = z
  .enum(CUSTOMERS)
  .meta({ description: 'Households (`domestico`) or businesses (`business`).', example: 'domestico' })

export interface OfferIndex {
  slug: string
  name: string
  commodity: Commodity
  priceType: PriceType
}

/** The four indices of household offers. Spec: "Offer indices"; decisions: "Offer indices and statistics". */
export const OFFER_INDICES: readonly OfferIndex[] = [
  {
    slug: 'mercato-libero-luce-fissa',
    name: 'Free market, electricity, fixed price',
    commodity: 'luce',
    priceType: 'fisso',
  },
  {
    slug: 'mercato-libero-luce-variabile',
    name: 'Free market, electricity, variable price',
    commodity: 'luce',
    priceType: 'variabile',
  },
  { slug: 'mercato-libero-gas-fisso', name: 'Free market, gas, fixed price', commodity: 'gas', priceType: 'fisso' },
  {
    slug: 'mercato-libero-gas-variabile',
    name: 'Free market, gas, variable price',
    commodity: 'gas',
    priceType: 'variabile',
  },
]

/** Page that explains the indices and statistics, below the base address of the service. */
export const OFFERS_METHODOLOGY_PATH = '/docs/offer-indices'
