/** Converts cells and elements of the portal's files to values. Throws ExcludedOffer, naming the field and the text. */

import { hash } from 'node:crypto'
import { KWH_PER_SMC } from '../../market/gas.ts'
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../../market/offers.ts'
import { UnreadableDocument } from '../faults.ts'
import { readDecimal } from '../reading/decimals.ts'
import type { StatedUnit } from './offer.ts'
import { ExcludedOffer } from './reasons.ts'

const CODE_CHARACTERS_MAX = 64
const SUPPLIER_DIGITS = 16

export const UNIT_OF: Record<Commodity, StatedUnit> = { luce: '€/kWh', gas: '€/Smc' }

/** Returns the key of an offer: a hash of the supplier, and the code. */
export function keyOf(vatNumber: string | undefined, code: string | undefined): { supplier: string; code: string } {
  if (!vatNumber || !/^[0-9A-Za-z]{8,16}$/.test(vatNumber))
    throw new ExcludedOffer('missing_key', 'VAT number missing or malformed')
  if (!code || code.length > CODE_CHARACTERS_MAX) throw new ExcludedOffer('missing_key', 'code missing or too long')
  return { supplier: hash('sha256', `supplier ${vatNumber}`).slice(0, SUPPLIER_DIGITS), code: copied(code) }
}

/** Copies a text: a substring could keep the whole document in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString()
}

/** Meaning of a code: `meaningOf(CUSTOMERS, '01', 'TIPO_CLIENTE')` is `domestico`. */
export function meaningOf<Meaning>(
  codes: ReadonlyMap<string, Meaning>,
  code: string | undefined,
  field: string,
): Meaning {
  const meaning = code === undefined ? undefined : codes.get(code)
  if (meaning === undefined) throw new ExcludedOffer('unknown_code', `${field} ${shown(code)}`)
  return meaning
}

/** Reads a number with a decimal point and any number of decimals; undefined if nothing is stated. */
export function readAmount(text: string | undefined, field: string): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const amount = readDecimal(text, '.')
  if (typeof amount === 'string') throw new ExcludedOffer('not_a_number', `${field} ${shown(text)}`)
  return amount
}

/** Reads `01/02/2026_00:00:00` and `01/02/2026` as 2026-02-01. Times are local and ignored. */
export function readDay(text: string | undefined, field: string): MarketDay | undefined {
  if (!text) return undefined
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})(?:[_ ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.exec(text) ?? []
  const read = year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
  if (read === undefined) throw new ExcludedOffer('impossible_date', `${field} ${shown(text)}`)
  return read
}

/** Throws ExcludedOffer if the offer cannot be signed on that day. */
export function checkValidity(from: MarketDay | undefined, to: MarketDay | undefined, day: MarketDay): void {
  if (from && to && Temporal.PlainDate.compare(from, to) > 0)
    throw new ExcludedOffer('impossible_date', `from ${from} to ${to}`)
  if (to && Temporal.PlainDate.compare(to, day) < 0) throw new ExcludedOffer('expired', `valid to ${to}`)
  if (from && Temporal.PlainDate.compare(from, day) > 0) throw new ExcludedOffer('not_yet_valid', `valid from ${from}`)
}

/** Converts €/Smc by the standard calorific value; returns €/kWh unchanged. */
export function toEurKwh(price: number, unit: StatedUnit): number {
  return unit === '€/Smc' ? price / KWH_PER_SMC : price
}

function shown(text: string | undefined): string {
  return text === undefined || text === '' ? 'missing' : JSON.stringify(text.slice(0, 40))
}

// Bounds for absurd values; outliers are excluded by a rule of the indices. A price in €/MWh stated as €/kWh
// is recognised by its magnitude; the offer is excluded, never rescaled.

interface Bounds {
  /** A price above this is beyond any market. */
  absurdAbove: number
  /** A value from here on can only be in €/MWh. */
  wrongUnitFrom: number
}

/**
 * Monthly averages of the PUN reached 0.54 €/kWh and of the PSV 2.5 €/Smc in August 2022; the largest spreads that are seriously
 * offered are near 0.1 €/kWh and 0.9 €/Smc.
 */
const BOUNDS: Record<PriceType, Record<StatedUnit, Bounds>> = {
  fisso: { '€/kWh': { absurdAbove: 1, wrongUnitFrom: 10 }, '€/Smc': { absurdAbove: 8, wrongUnitFrom: 15 } },
  variabile: { '€/kWh': { absurdAbove: 0.3, wrongUnitFrom: 2 }, '€/Smc': { absurdAbove: 2, wrongUnitFrom: 5 } },
}

/** Suppliers enter 999.99 if a form requires a fee. */
const FEE_EUR_YEAR_MAX: Record<Customer, number> = { domestico: 900, business: 5_000 }

/** Fails with ExcludedOffer. A spread may be exactly 0, a price may not. */
export function checkPrices(prices: readonly number[], priceType: PriceType, unit: StatedUnit): void {
  const { absurdAbove, wrongUnitFrom } = BOUNDS[priceType][unit]
  for (const price of prices) {
    if (price >= wrongUnitFrom)
      throw new ExcludedOffer('wrong_unit', `${price} ${unit} has the size of a price in €/MWh`)
    if (price > absurdAbove) throw new ExcludedOffer('absurd_price', `${price} ${unit}, at most ${absurdAbove}`)
    if (price < 0) throw new ExcludedOffer('negative_price', `${price} ${unit}`)
    if (price === 0 && priceType === 'fisso') throw new ExcludedOffer('zero_price', `0 ${unit}`)
  }
}

/** Fails with ExcludedOffer. */
export function checkFee(feeEurYear: number, customer: Customer): void {
  if (feeEurYear < 0) throw new ExcludedOffer('negative_price', `fixed fee of ${feeEurYear} €/year`)
  if (feeEurYear > FEE_EUR_YEAR_MAX[customer]) {
    throw new ExcludedOffer('absurd_fee', `fixed fee of ${feeEurYear} €/year, at most ${FEE_EUR_YEAR_MAX[customer]}`)
  }
}

/** Facts that only the name of a file states: `PO_Offerte_E_MLIBERO_20260201.xml` is electricity on 2026-02-01. */
export interface FileNameInfo {
  day: MarketDay
  /** Undefined if the name does not state it. */
  commodity: Commodity | 'dual' | undefined
}

const COMMODITIES: Readonly<Record<string, Commodity | 'dual'>> = { E: 'luce', G: 'gas', D: 'dual' }

/** Reads the name of a file or archive entry; the date may have hyphens. `day` overrides the one in the name. Throws UnreadableDocument. */
export function readFileName(name: string, day?: MarketDay): FileNameInfo {
  const baseName = name.split(/[!/\\]/).at(-1) ?? ''
  const [, letter] = /_([EGD])_/.exec(baseName) ?? []
  const commodity = letter === undefined ? undefined : COMMODITIES[letter]
  const named = day ?? dayIn(baseName)
  if (named === undefined) {
    const detail = `${JSON.stringify(baseName)} does not state the day of the list, nor do its contents: pass --day YYYY-MM-DD`
    throw new UnreadableDocument('file name', detail)
  }
  return { day: named, commodity }
}

/** Returns the last date in the name. */
function dayIn(baseName: string): MarketDay | undefined {
  const [, year, month, day] = /.*(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(baseName) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
}
