/** Seeds: retail offers as a publication of the regulator's portal, through the writer that everything else goes through. */
import type { Commodity, Customer, PriceType } from '../../src/contract/offers.ts'
import type { Sql } from '../../src/store/database.ts'
import { refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { dailyPrice, zoneDay } from './prices.ts'
import type { TestService } from './service.ts'

export interface SeedOffer {
  supplier: number
  code: string
  /** Default: of the seed. */
  priceType?: PriceType
  customer?: Customer
  /** €/kWh: the price of a fixed offer, the spread of a variable one; several in the order of `bands`. */
  prices: number | number[]
  bands?: 'single' | 'f1-f2-f3' | 'f1-f23' | 'f2-f13' | 'f3-f12' | 'peak-offpeak'
  /** Index of a variable offer; PUN or PSV by default. */
  reference?: 'PUN' | 'PSV' | 'TTF' | 'other'
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

/** Stores the free market's offers of a commodity on a day; fixed ones to households where an offer says nothing else. */
export async function seedOffers(sql: Sql, offers: SeedOffer[], options: SeedOffersOptions): Promise<void> {
  const { day, commodity = 'luce', source = 'sample', at = Temporal.Instant.from(`${day}T00:30:00Z`) } = options
  const dataset = commodity === 'luce' ? 'free-power' : 'free-gas'
  documents += 1
  await sql.begin(async (tx) => {
    const [document] = await tx<{ id: number }[]>`
      insert into documents (sha256, source, address, bytes, fetched_at)
      values (${`0ff${documents.toString(16).padStart(61, '0')}`}, ${source}, ${`offers-${documents}`}, 1, ${at.toString()}::timestamptz)
      returning id`
    const rows = offers.map((offer) => rowOf(offer, { commodity, source, dataset, day, document: document?.id, at }))
    await tx`create temporary table incoming_offers (like offers) on commit drop`
    await tx`insert into incoming_offers select * from jsonb_populate_recordset(null::offers, ${JSON.stringify(rows)}::text::jsonb)`
    await tx`
      select store_offer_day(
        ${source}, ${dataset}, ${day}::date, ${commodity}, ${document?.id ?? 0}, ${at.toString()}::timestamptz, '{}', '{}', '{}'
      )`
    await tx`drop table incoming_offers`
  })
}

function rowOf(
  offer: SeedOffer,
  at: {
    commodity: Commodity
    source: string
    dataset: string
    day: string
    document: number | undefined
    at: Temporal.Instant
  },
) {
  const { priceType = 'fisso', prices } = offer
  const list = Array.isArray(prices) ? prices : [prices]
  const index = at.commodity === 'luce' ? 'PUN' : 'PSV'
  return {
    source: at.source,
    dataset: at.dataset,
    supplier: offer.supplier.toString(16).padStart(16, '0'),
    code: offer.code,
    first_day: at.day,
    until_day: null,
    commodity: at.commodity,
    price_type: priceType,
    customer: offer.customer ?? 'domestico',
    reference: priceType === 'fisso' ? null : (offer.reference ?? index),
    valid_from: offer.validFrom ?? null,
    valid_to: offer.validTo ?? null,
    bands: offer.bands ?? 'single',
    prices_eur_kwh: list,
    stated_prices: list,
    stated_unit: '€/kWh',
    fixed_fee_eur_year: offer.feeEurYear ?? null,
    notes: [],
    document_id: at.document,
    fetched_at: at.at.toString(),
  }
}

/** Twelve offers of four suppliers each: fixed and variable, to households and businesses, at even steps. */
export function someOffers(commodity: Commodity): SeedOffer[] {
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

/** Seeds offers and brings their indices up to date, as the jobs do; then whatever depends on data. */
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
