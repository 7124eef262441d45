/**
 * The energy price of an offer from its components: per unit of energy, those that cannot be declined added up, band by band. The name
 * of a component and its MACROAREA do not matter: price and spread occur under 04, 06 and 02 alike.
 */
import { type ElementaryBand, SINGLE_BAND } from './codes.ts'
import type { Bands } from './offer.ts'
import { ExcludedOffer } from './reasons.ts'

/** Prices of one component, in the unit of the offer. */
export interface EnergyComponent {
  /** One entry per price stated; `band` is undefined where the publication names none. */
  prices: { band: string | undefined; bands: readonly ElementaryBand[]; price: number }[]
}

const BANDS_OF: Record<Bands, readonly (readonly ElementaryBand[])[]> = {
  single: [['F1', 'F2', 'F3']],
  'f1-f2-f3': [['F1'], ['F2'], ['F3']],
  'f1-f23': [['F1'], ['F2', 'F3']],
  'f2-f13': [['F2'], ['F1', 'F3']],
  'f3-f12': [['F3'], ['F1', 'F2']],
  'peak-offpeak': [['peak'], ['offpeak']],
}

/** Prices of the offer in the order of its bands: `[0.15, 0.14]` of an offer `f1-f23`. Fails with ExcludedOffer. */
export function addComponents(components: readonly EnergyComponent[], bands: Bands): number[] {
  if (components.length === 0) throw new ExcludedOffer('missing_price', 'no component per kWh or Smc')
  const parts = components.map(spreadOverBands)
  if (bands !== 'single' && parts.every((part) => typeof part === 'number')) {
    throw new ExcludedOffer('missing_band_price', `one price, where the bands are ${bands}`)
  }
  return BANDS_OF[bands].map((merged) => {
    const [price, ...others] = merged.map((band) => sumIn(band, parts, bands))
    if (price === undefined || others.some((other) => other !== price)) {
      throw new ExcludedOffer(
        'other_bands',
        `different prices in ${merged.join(' and ')}, where the bands are ${bands}`,
      )
    }
    return price
  })
}

type Part = number | ReadonlyMap<ElementaryBand, number>

/** A component with nothing but the price of band 01, or of none, holds in every band. */
function spreadOverBands({ prices }: EnergyComponent): Part {
  if (prices.every(({ band }) => band === undefined || band === SINGLE_BAND)) {
    return onePrice(prices.map(({ price }) => price))
  }
  const byBand = new Map<ElementaryBand, number>()
  for (const { bands, price } of prices) {
    for (const band of bands) byBand.set(band, onePrice([byBand.get(band) ?? price, price]))
  }
  return byBand
}

/** Tiers of consumption and steps in time come as several prices for one band. */
function onePrice(prices: number[]): number {
  const [price, ...others] = prices
  if (price === undefined) throw new ExcludedOffer('missing_price', 'a component without a price')
  const other = others.find((candidate) => candidate !== price)
  if (other === undefined) return price
  throw new ExcludedOffer('price_not_constant', `${price} and ${other} for the same band`)
}

function sumIn(band: ElementaryBand, parts: readonly Part[], bands: Bands): number {
  let sum = 0
  for (const part of parts) {
    const price = typeof part === 'number' ? part : part.get(band)
    if (price === undefined)
      throw new ExcludedOffer('missing_band_price', `no price in ${band}, where the bands are ${bands}`)
    sum += price
  }
  return roundedToStated(sum)
}

/** 0.1 + 0.2 is 0.3: prices have far fewer decimals than this. */
function roundedToStated(sum: number): number {
  return Number(sum.toFixed(10))
}
