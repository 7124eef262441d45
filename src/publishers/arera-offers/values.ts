/** Cells and elements of the portal's files as values; each fails with ExcludedOffer, naming the field and the text. */
import { hash } from 'node:crypto'
import { KWH_PER_SMC } from '../../market/calorific-value.ts'
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import type { Commodity } from '../../market/offers.ts'
import { readDecimal } from '../reading/decimals.ts'
import type { StatedUnit } from './offer.ts'
import { ExcludedOffer } from './reasons.ts'

const CODE_CHARACTERS_MAX = 64
const SUPPLIER_DIGITS = 16

export const UNIT_OF: Record<Commodity, StatedUnit> = { luce: '€/kWh', gas: '€/Smc' }

/** The key of an offer: who offers as a hash, and the code. */
export function keyOf(vatNumber: string | undefined, code: string | undefined): { supplier: string; code: string } {
  if (!vatNumber || !/^[0-9A-Za-z]{8,16}$/.test(vatNumber))
    throw new ExcludedOffer('missing_key', 'VAT number missing or malformed')
  if (!code || code.length > CODE_CHARACTERS_MAX) throw new ExcludedOffer('missing_key', 'code missing or too long')
  return { supplier: hash('sha256', `supplier ${vatNumber}`).slice(0, SUPPLIER_DIGITS), code: copied(code) }
}

/** A substring keeps its whole text in memory; here that would be the whole document for each offer. */
function copied(text: string): string {
  return Buffer.from(text).toString()
}

/** What a code means: `meaningOf(CUSTOMERS, '01', 'TIPO_CLIENTE')` is `domestico`. */
export function meaningOf<Meaning>(
  codes: ReadonlyMap<string, Meaning>,
  code: string | undefined,
  field: string,
): Meaning {
  const meaning = code === undefined ? undefined : codes.get(code)
  if (meaning === undefined) throw new ExcludedOffer('unknown_code', `${field} ${shown(code)}`)
  return meaning
}

/** Decimal point and any number of decimals; undefined where nothing is stated. */
export function readAmount(text: string | undefined, field: string): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const amount = readDecimal(text, '.')
  if (typeof amount === 'string') throw new ExcludedOffer('not_a_number', `${field} ${shown(text)}`)
  return amount
}

/** `01/02/2026_00:00:00` and `01/02/2026` are 2026-02-01; local time; only the day counts. */
export function readDay(text: string | undefined, field: string): MarketDay | undefined {
  if (!text) return undefined
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})(?:[_ ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.exec(text) ?? []
  const read = year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
  if (read === undefined) throw new ExcludedOffer('impossible_date', `${field} ${shown(text)}`)
  return read
}

/** Fails where the offer cannot be signed on that day. */
export function checkValidity(from: MarketDay | undefined, to: MarketDay | undefined, day: MarketDay): void {
  if (from && to && Temporal.PlainDate.compare(from, to) > 0)
    throw new ExcludedOffer('impossible_date', `from ${from} to ${to}`)
  if (to && Temporal.PlainDate.compare(to, day) < 0) throw new ExcludedOffer('expired', `valid to ${to}`)
  if (from && Temporal.PlainDate.compare(from, day) > 0) throw new ExcludedOffer('not_yet_valid', `valid from ${from}`)
}

/** €/Smc by the standard calorific value; €/kWh as it is. */
export function toEurKwh(price: number, unit: StatedUnit): number {
  return unit === '€/Smc' ? price / KWH_PER_SMC : price
}

function shown(text: string | undefined): string {
  return text === undefined || text === '' ? 'missing' : JSON.stringify(text.slice(0, 40))
}
