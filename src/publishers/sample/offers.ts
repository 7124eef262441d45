/**
 * Invented retail offers, a hundred or more of each kind. An offer lasts three to eight weeks; then another one replaces it, at the
 * wholesale prices of that day. A few percent of the list change every day. No supplier names are invented: suppliers are numbers.
 */

import { hash } from 'node:crypto'
import { GAS_PLANT, GAS_POWER_TONNES_MWH, KWH_PER_SMC } from '../../market/gas.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../../market/offers.ts'
import { round } from '../../market/rounding.ts'
import type { Bands, Offer, OfferDataset, OfferDay } from '../arera-offers/offer.ts'
import { toEurKwh, UNIT_OF } from '../arera-offers/values.ts'
import { allowancePrice, psvPrice } from './fuels.ts'
import { dayNumber, uniformNoise } from './noise.ts'

/** The lists that are generated. */
export const SAMPLE_LISTS = ['free-power', 'free-gas'] as const satisfies readonly OfferDataset[]

/** Time in Rome at which a day's offers are published. */
const PUBLICATION_TIME = '01:05'
/** Days of history at first start: enough to look at, and quick to store. */
const HISTORY_DAYS = 31
const SUPPLIERS = 40
const OFFERS_PER_KIND: Record<Customer, number> = { domestico: 150, business: 100 }
const LIFE_DAYS = { min: 21, max: 56 }

/** Yields the lists published after that day up to the instant, oldest first; a month of them if none was published before. */
export function* offersPublishedBetween(after: MarketDay | undefined, until: Temporal.Instant): Generator<OfferDay> {
  const local = until.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const isOutToday = Temporal.PlainTime.compare(local.toPlainTime(), PUBLICATION_TIME) >= 0
  const last = isOutToday ? local.toPlainDate() : local.toPlainDate().subtract({ days: 1 })
  const first = after?.add({ days: 1 }) ?? last.subtract({ days: HISTORY_DAYS - 1 })
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    yield sampleOffers('luce', day)
    yield sampleOffers('gas', day)
  }
}

/** Returns when the lists of that day are published. */
export function offersPublishedAt(day: MarketDay): Temporal.Instant {
  return day.toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: PUBLICATION_TIME }).toInstant()
}

/** Returns the free market's offers of a day; always the same for that day. */
export function sampleOffers(commodity: Commodity, day: MarketDay): OfferDay {
  const offers: Offer[] = []
  for (const priceType of ['fisso', 'variabile'] as const) {
    for (const customer of ['domestico', 'business'] as const) {
      for (let place = 0; place < OFFERS_PER_KIND[customer]; place++) {
        offers.push(offerAt(place, { commodity, priceType, customer }, day))
      }
    }
  }
  return {
    kind: 'offer-day',
    dataset: commodity === 'luce' ? 'free-power' : 'free-gas',
    day,
    offers,
    excluded: [],
    faults: [],
  }
}

interface Kind {
  commodity: Commodity
  priceType: PriceType
  customer: Customer
}

function offerAt(place: number, kind: Kind, day: MarketDay): Offer {
  const { commodity, priceType, customer } = kind
  const name = `${commodity}-${priceType}-${customer}`
  const draw = uniformNoise(`offers/${name}`)
  const life = LIFE_DAYS.min + Math.floor(draw(place, 1) * (LIFE_DAYS.max - LIFE_DAYS.min))
  const age = (dayNumber(day) + Math.floor(draw(place, 2) * life)) % life
  const validFrom = day.subtract({ days: age })
  const began = dayNumber(validFrom)
  const own = uniformNoise(`offers/${name}/${place}`)

  const bands = commodity === 'gas' ? 'single' : bandsFor(draw(place, 3))
  const statedUnit = UNIT_OF[commodity]
  const base = priceType === 'fisso' ? fixedPrice(commodity, began, own(began, 1)) : spread(commodity, own(began, 1))
  const statedPrices = shapeOf(bands, priceType).map((factor) => round(base * factor, 6))
  return {
    supplier: hash('sha256', `sample supplier ${Math.floor(draw(place, 4) * SUPPLIERS)}`).slice(0, 16),
    code: `SAMPLE-${name}-${place}-${validFrom}`,
    commodity,
    priceType,
    customer,
    reference: priceType === 'fisso' ? undefined : commodity === 'luce' ? 'PUN' : 'PSV',
    validFrom,
    validTo: validFrom.add({ days: life - 1 }),
    bands,
    pricesEurKwh: statedPrices.map((price) => toEurKwh(price, statedUnit)),
    statedPrices,
    statedUnit,
    fixedFeeEurYear: 12 * Math.round((customer === 'domestico' ? 6 : 9) + 8 * own(began, 2)),
    notes: [],
  }
}

function bandsFor(draw: number): Bands {
  if (draw < 0.6) return 'single'
  return draw < 0.8 ? 'f1-f2-f3' : 'f1-f23'
}

/** Fixed prices are higher in working hours; spreads are the same in every band. */
function shapeOf(bands: Bands, priceType: PriceType): number[] {
  if (bands === 'single') return [1]
  if (priceType === 'variabile') return bands === 'f1-f23' ? [1, 1] : [1, 1, 1]
  return bands === 'f1-f23' ? [1.05, 0.97] : [1.05, 1.02, 0.94]
}

/** Wholesale price on the first day of the offer, plus 5 to 35 % for risk and sales; €/kWh for power, €/Smc for gas. */
function fixedPrice(commodity: Commodity, began: number, draw: number): number {
  const gasEurKwh = psvPrice(began) / 1000
  const wholesale =
    commodity === 'gas'
      ? gasEurKwh * KWH_PER_SMC
      : gasEurKwh / GAS_PLANT.efficiency + GAS_POWER_TONNES_MWH * (allowancePrice(began) / 1000)
  return wholesale * (1.05 + 0.3 * draw)
}

function spread(commodity: Commodity, draw: number): number {
  return commodity === 'luce' ? 0.005 + 0.03 * draw : 0.03 + 0.15 * draw
}
