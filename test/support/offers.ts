/** Seeds: retail offers as a publication of the regulator's portal, stored by the same writer as all other data. */
import { type Commodity, type Customer, type PriceType, REFERENCE_ASSETS } from '../../src/market/offers.ts'
import type { Bands, Offer, OfferDay, Reference } from '../../src/publishers/arera-offers/offer.ts'
import type { Sql } from '../../src/store/database.ts'
import { refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { writeOfferDay } from '../../src/store/offer-writer.ts'
import { dailyPrice, zoneDay } from './prices.ts'
import type { TestService } from './service.ts'

export interface SeedOffer {
  supplier: number
  code: string
  /** Default: that of the seed. */
  priceType?: PriceType
  customer?: Customer
  /** €/kWh: price of a fixed offer or spread of a variable one; several values follow the order of `bands`. */
  prices: number | number[]
  bands?: Bands
  /** Index of a variable offer; PUN or PSV by default. */
  reference?: Reference
  feeEurYear?: number
  validFrom?: string
  validTo?: string
}

export interface SeedOffersOptions {
  day: string
  commodity?: Commodity
  source?: string
  at?: Temporal.Instant
}

let documents = 0

/** Stores the free-market offers of a commodity on a day; by default fixed-price offers to households. */
export async function seedOffers(sql: Sql, offers: SeedOffer[], options: SeedOffersOptions): Promise<void> {
  const { day, commodity = 'luce', source = 'arera-offers', at = Temporal.Instant.from(`${day}T00:30:00Z`) } = options
  documents += 1
  const document = {
    sha256: documents.toString(16).padStart(64, 'f'),
    address: `offers-${documents}`,
    bytes: 1,
    fetchedAt: at,
  }
  const item: OfferDay = {
    kind: 'offer-day',
    dataset: commodity === 'luce' ? 'free-power' : 'free-gas',
    day: Temporal.PlainDate.from(day),
    offers: offers.map((offer) => offerOf(offer, commodity)),
    excluded: [],
    faults: [],
  }
  await writeOfferDay(sql, { source, document, storedAt: at, item })
}

function offerOf(offer: SeedOffer, commodity: Commodity): Offer {
  const { priceType = 'fisso', prices } = offer
  const list = Array.isArray(prices) ? prices : [prices]
  return {
    supplier: offer.supplier.toString(16).padStart(16, '0'),
    code: offer.code,
    commodity,
    priceType,
    customer: offer.customer ?? 'domestico',
    reference: priceType === 'fisso' ? undefined : (offer.reference ?? REFERENCE_ASSETS[commodity]),
    validFrom: offer.validFrom === undefined ? undefined : Temporal.PlainDate.from(offer.validFrom),
    validTo: offer.validTo === undefined ? undefined : Temporal.PlainDate.from(offer.validTo),
    bands: offer.bands ?? 'single',
    pricesEurKwh: list,
    statedPrices: list,
    statedUnit: '€/kWh',
    fixedFeeEurYear: offer.feeEurYear,
    notes: [],
  }
}

/** Twelve offers from each of four suppliers: fixed and variable, for households and businesses, in equal price steps. */
export function exampleOffers(commodity: Commodity): SeedOffer[] {
  const price = commodity === 'luce' ? 0.1 : 0.04
  return (['domestico', 'business'] as const).flatMap((customer) =>
    Array.from({ length: 12 }, (_, i) => i).flatMap((i): SeedOffer[] => [
      { supplier: i % 4, code: `F-${customer}-${i}`, customer, prices: price + i / 1000, feeEurYear: 96 + 6 * i },
      {
        supplier: i % 4,
        code: `V-${customer}-${i}`,
        customer,
        priceType: 'variabile',
        prices: 0.01 + i / 1000,
        feeEurYear: 96 + 6 * i,
      },
    ]),
  )
}

/** Seeds offers and updates their indices as the jobs do, then everything that depends on the data version. */
export async function publishOffers(
  service: TestService,
  offers: SeedOffer[],
  options: SeedOffersOptions,
): Promise<void> {
  await seedOffers(service.sql, offers, options)
  await refreshOfferIndices(service.sql, Temporal.Instant.from(`${options.day}T01:00:00Z`))
  await service.seed([])
}

/** Every day of October 2026 at one price: the last full month of the PUN in November. */
export function octoberPrices(eurMwh: { PUN: number; PSV: number }) {
  const days = Array.from({ length: 31 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`)
  return days.flatMap((day) => [zoneDay('nazionale', day, 60, () => eurMwh.PUN), dailyPrice('PSV', day, eurMwh.PSV)])
}
