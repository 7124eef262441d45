/** Converts one `<offerta>` of the free-market XML to an offer. Throws ExcludedOffer if it is not to be used. */

import type { MarketDay } from '../../market/market-day.ts'
import type { Commodity } from '../../market/offers.ts'
import {
  BAND_LAYOUTS,
  COMPONENT_BANDS,
  CUSTOMERS,
  type ElementaryBand,
  INDICES,
  KNOWN_UNITS,
  MARKETS,
  NO_LIMIT,
  ONE_OFF_AREA,
  OPTIONAL,
  PRICE_TYPES,
  SINGLE_BAND,
  STANDARD,
  UNITS,
} from './codes.ts'
import type { Bands, Offer, Reference } from './offer.ts'
import type { OfferElement } from './offer-elements.ts'
import { ExcludedOffer, inGroup, type OfferGroup, type OfferNote } from './reasons.ts'
import {
  checkFee,
  checkPrices,
  checkValidity,
  keyOf,
  meaningOf,
  readAmount,
  readDay,
  toEurKwh,
  UNIT_OF,
} from './values.ts'

/** `luce`, `gas` or `dual`; undefined for an unknown code. */
export function marketOf(offer: OfferElement): Commodity | 'dual' | undefined {
  return MARKETS.get(textOf(child(offer, 'DettaglioOfferta'), 'TIPO_MERCATO') ?? '')
}

export function readFreeMarketOffer(element: OfferElement, commodity: Commodity, day: MarketDay): Offer {
  const identity = child(element, 'IdentificativiOfferta')
  const details = child(element, 'DettaglioOfferta')
  const key = keyOf(textOf(identity, 'PIVA_UTENTE'), textOf(identity, 'COD_OFFERTA'))
  const market = meaningOf(MARKETS, textOf(details, 'TIPO_MERCATO'), 'TIPO_MERCATO')
  if (market === 'dual' || textOf(details, 'OFFERTA_SINGOLA') === 'NO') {
    throw new ExcludedOffer('dual_offer', market === 'dual' ? 'TIPO_MERCATO 03' : 'OFFERTA_SINGOLA NO')
  }
  if (market !== commodity) throw new ExcludedOffer('other_commodity', `${market} in a list of ${commodity}`)

  const validity = child(element, 'ValiditaOfferta')
  const validFrom = readDay(textOf(validity, 'DATA_INIZIO'), 'DATA_INIZIO')
  const validTo = readDay(textOf(validity, 'DATA_FINE'), 'DATA_FINE')
  checkValidity(validFrom, validTo, day)

  const customer = meaningOf(CUSTOMERS, textOf(details, 'TIPO_CLIENTE'), 'TIPO_CLIENTE')
  const priceType = meaningOf(PRICE_TYPES, textOf(details, 'TIPO_OFFERTA'), 'TIPO_OFFERTA')
  if (priceType === 'other')
    throw new ExcludedOffer('unsupported_price_type', `TIPO_OFFERTA ${textOf(details, 'TIPO_OFFERTA')}`)
  return inGroup({ priceType, customer }, () => ({
    ...key,
    commodity,
    priceType,
    customer,
    reference: priceType === 'fisso' ? undefined : referenceOf(element),
    validFrom,
    validTo,
    ...readTerms(element, commodity, { priceType, customer }),
  }))
}

type Terms = Pick<Offer, 'bands' | 'pricesEurKwh' | 'statedPrices' | 'statedUnit' | 'fixedFeeEurYear' | 'notes'>

function readTerms(element: OfferElement, commodity: Commodity, { priceType, customer }: OfferGroup): Terms {
  const statedUnit = UNIT_OF[commodity]
  const components = readComponents(element, commodity)
  const bands = bandsOf(element)
  const statedPrices = addComponents(components.energy, bands)
  checkPrices(statedPrices, priceType, statedUnit)
  const fixedFeeEurYear = components.fees.length === 0 ? undefined : components.fees.reduce((sum, fee) => sum + fee, 0)
  if (fixedFeeEurYear !== undefined) checkFee(fixedFeeEurYear, customer)

  const notes = new Set(components.notes)
  if (fixedFeeEurYear === undefined && !notes.has('optional_fee')) notes.add('fee_not_stated')
  if (priceType === 'variabile' && statedPrices.every((price) => price === 0)) notes.add('zero_spread')
  if (child(element, 'Sconto')) notes.add('discounts')
  if (child(element, 'ZoneOfferta')?.children.length) notes.add('local')
  if (isLimited(child(element, 'CaratteristicheOfferta'))) notes.add('limited_consumption')

  return {
    bands,
    pricesEurKwh: statedPrices.map((price) => toEurKwh(price, statedUnit)),
    statedPrices,
    statedUnit,
    fixedFeeEurYear,
    notes: [...notes].sort(),
  }
}

function referenceOf(element: OfferElement): Reference {
  const code = textOf(child(element, 'RiferimentiPrezzoEnergia'), 'IDX_PREZZO_ENERGIA')
  if (code === undefined) throw new ExcludedOffer('missing_index', 'no IDX_PREZZO_ENERGIA')
  return meaningOf(INDICES, code, 'IDX_PREZZO_ENERGIA')
}

/** Gas has no bands and no element for them. */
function bandsOf(element: OfferElement): Bands {
  const code = textOf(child(element, 'TipoPrezzo'), 'TIPOLOGIA_FASCE')
  const bands = code === undefined ? 'single' : meaningOf(BAND_LAYOUTS, code, 'TIPOLOGIA_FASCE')
  if (bands === 'own') throw new ExcludedOffer('other_bands', `TIPOLOGIA_FASCE ${code}`)
  return bands
}

interface Components {
  energy: EnergyComponent[]
  /** €/year */
  fees: number[]
  notes: OfferNote[]
}

/** Sorts standard components by unit; only the presence of optional ones is noted. */
function readComponents(element: OfferElement, commodity: Commodity): Components {
  const read: Components = { energy: [], fees: [], notes: [] }
  const periods = new Set<string>()
  for (const component of children(element, 'ComponenteImpresa')) {
    const kind = textOf(component, 'TIPOLOGIA')
    const intervals = children(component, 'IntervalloPrezzi')
    if (kind === OPTIONAL) {
      const isFee = intervals.some((interval) => textOf(interval, 'UNITA_MISURA') === UNITS.eurYear)
      read.notes.push(isFee ? 'optional_fee' : 'optional_components')
      continue
    }
    if (kind !== STANDARD)
      throw new ExcludedOffer('unknown_code', `TIPOLOGIA ${JSON.stringify(kind ?? '')} of a component`)
    const isOneOff = children(component, 'MACROAREA').some(({ text }) => text === ONE_OFF_AREA)
    const prices: EnergyComponent['prices'] = []
    for (const interval of intervals) {
      const unit = textOf(interval, 'UNITA_MISURA')
      if (unit === undefined || !KNOWN_UNITS.has(unit)) {
        throw new ExcludedOffer('unknown_code', `UNITA_MISURA ${JSON.stringify(unit ?? '')}`)
      }
      const price = readAmount(textOf(interval, 'PREZZO'), 'PREZZO')
      if (isOneOff || unit === UNITS.eurOnce) read.notes.push('one_off_fee')
      else if (unit === UNITS.eurKwYear) read.notes.push('power_fee')
      else if (price === undefined) throw new ExcludedOffer('missing_price', 'a standard component without PREZZO')
      else if (unit === UNITS.eurYear) read.fees.push(price)
      else {
        if (unit !== unitOfEnergy(commodity))
          throw new ExcludedOffer('wrong_unit', `UNITA_MISURA ${unit} for ${commodity}`)
        prices.push({ ...bandOf(interval), price })
        periods.add(periodOf(component, interval))
        if (price < 0) read.notes.push('negative_component')
      }
    }
    if (prices.length > 0) read.energy.push({ prices })
  }
  if (periods.size > 1)
    throw new ExcludedOffer('price_not_constant', 'components hold for different parts of the contract')
  if (periods.size === 1 && !periods.has('')) read.notes.push('part_of_contract')
  return read
}

function unitOfEnergy(commodity: Commodity): string {
  return commodity === 'luce' ? UNITS.eurKwh : UNITS.eurSmc
}

function bandOf(interval: OfferElement): Pick<EnergyComponent['prices'][number], 'band' | 'bands'> {
  const band = textOf(interval, 'FASCIA_COMPONENTE')
  return { band, bands: band === undefined ? [] : meaningOf(COMPONENT_BANDS, band, 'FASCIA_COMPONENTE') }
}

/** PeriodoValidita: how long, until when or in which months a price holds; empty if it always does. */
function periodOf(component: OfferElement, interval: OfferElement): string {
  const period = child(interval, 'PeriodoValidita') ?? child(component, 'PeriodoValidita')
  return period?.children.map(({ name, text }) => `${name}=${text}`).join(' ') ?? ''
}

function isLimited(limits: OfferElement | undefined): boolean {
  return (limits?.children ?? []).some(({ name, text }) => {
    const value = Number(text)
    return name.endsWith('_MIN') ? value > 0 : name.endsWith('_MAX') && value < NO_LIMIT
  })
}

function child(element: OfferElement | undefined, name: string): OfferElement | undefined {
  return element?.children.find((candidate) => candidate.name === name)
}

function children(element: OfferElement, name: string): OfferElement[] {
  return element.children.filter((candidate) => candidate.name === name)
}

/** Returns undefined for absent and for empty elements. */
function textOf(element: OfferElement | undefined, name: string): string | undefined {
  return child(element, name)?.text || undefined
}

// The energy price of an offer is the sum, band by band, of its mandatory components per unit of energy. The name of a component and its
// MACROAREA do not matter: prices and spreads occur under 04, 06 and 02 alike.

/** Prices of one component, in the unit of the offer. */
interface EnergyComponent {
  /** One entry per stated price; `band` is undefined if the publication names none. */
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

/** Returns the prices of the offer in the order of its bands: `[0.15, 0.14]` for `f1-f23`. Throws ExcludedOffer. */
function addComponents(components: readonly EnergyComponent[], bands: Bands): number[] {
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

/** A component priced only for band 01, or for no named band, applies to every band. */
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

/** Refuses different prices for one band, which are consumption tiers or steps over time. */
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

/** Makes 0.1 + 0.2 equal 0.3: prices have far fewer decimals than this. */
function roundedToStated(sum: number): number {
  return Number(sum.toFixed(10))
}
