/**
 * The offers on standard terms: `PO_Offerte_{E|G}_PLACET_YYYYMMDD.csv`. Unused cells are empty or 0.000000, so 0 means "not stated". A
 * fixed electricity offer states its price in up to three ways; the single price is used if there is one.
 */

import type { MarketDay } from '../../market/market-day.ts'
import type { Commodity, Customer, PriceType } from '../../market/offers.ts'
import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { csvRows } from '../reading/csv-rows.ts'
import type { Bands, Offer } from './offer.ts'
import { OfferList } from './offer-list.ts'
import { ExcludedOffer, inGroup, type OfferGroup, type OfferNote } from './reasons.ts'
import {
  checkFee,
  checkPrices,
  checkValidity,
  type FileNameInfo,
  keyOf,
  meaningOf,
  readAmount,
  readDay,
  toEurKwh,
  UNIT_OF,
} from './values.ts'

const SHARED_COLUMNS = [
  'p_iva',
  'cod_offerta',
  'data_inizio',
  'data_fine',
  'tipo_cliente',
  'tipo_offerta',
  'p_fix_f',
  'p_fix_v',
  'alpha',
]
const PRICE_COLUMNS: Record<Commodity, readonly (readonly [Bands, readonly string[]])[]> = {
  luce: [
    ['single', ['p_vol_mono']],
    ['f1-f2-f3', ['p_vol_f1', 'p_vol_f2', 'p_vol_f3']],
    ['f1-f23', ['p_vol_bf1', 'p_vol_bf23']],
  ],
  gas: [['single', ['p_vol']]],
}
const ZONE_COLUMNS = ['regione', 'provincia', 'comune']

const CUSTOMERS: ReadonlyMap<string, Customer> = new Map([
  ['domestico', 'domestico'],
  ['non domestico', 'business'],
  ['condominio', 'business'],
])
const PRICE_TYPES: ReadonlyMap<string, PriceType> = new Map([
  ['prezzo fisso', 'fisso'],
  ['prezzo variabile', 'variabile'],
])
/** The index that the standard terms prescribe. */
const REFERENCES = { luce: 'PUN', gas: 'PSV' } as const

interface PlacetHeader {
  columns: ReadonlyMap<string, number>
  /** Determined by the columns of the list. */
  commodity: Commodity
}

/** Returns undefined for the header of any other CSV. */
export function readPlacetHeader(header: string): PlacetHeader | undefined {
  const columns = columnsOf(header)
  if (!SHARED_COLUMNS.every((name) => columns.has(name))) return undefined
  const commodity = (['luce', 'gas'] as const).find((candidate) =>
    PRICE_COLUMNS[candidate].every(([, names]) => names.every((name) => columns.has(name))),
  )
  return commodity && { columns, commodity }
}

/** Yields the list after the last row. Fails with UnreadableDocument where reading cannot continue. */
export async function* parsePlacet(
  text: AsyncIterable<string>,
  { columns, commodity }: PlacetHeader,
  named: FileNameInfo,
): Items {
  if (named.commodity !== undefined && named.commodity !== commodity) {
    throw new UnreadableDocument('document', `has the columns of ${commodity}, but its name says ${named.commodity}`)
  }
  const list = new OfferList(commodity === 'luce' ? 'placet-power' : 'placet-gas', named.day)
  for await (const rows of csvRows(text, ',')) {
    for (const { record, info } of rows) {
      const cell = (name: string) => record[columns.get(name) ?? -1]?.trim() || undefined
      list.add(`line ${info.lines}`, () => readPlacetOffer(cell, commodity, named.day))
    }
  }
  yield list.finish()
}

type Cell = (column: string) => string | undefined

function readPlacetOffer(cell: Cell, commodity: Commodity, day: MarketDay): Offer {
  const key = keyOf(cell('p_iva'), cell('cod_offerta'))
  const validFrom = readDay(cell('data_inizio'), 'data_inizio')
  const validTo = readDay(cell('data_fine'), 'data_fine')
  checkValidity(validFrom, validTo, day)
  const customer = meaningOf(CUSTOMERS, cell('tipo_cliente'), 'tipo_cliente')
  const priceType = meaningOf(PRICE_TYPES, cell('tipo_offerta'), 'tipo_offerta')
  return inGroup({ priceType, customer }, () => ({
    ...key,
    commodity,
    priceType,
    customer,
    reference: priceType === 'fisso' ? undefined : REFERENCES[commodity],
    validFrom,
    validTo,
    ...readTerms(cell, commodity, { priceType, customer }),
  }))
}

type Terms = Pick<Offer, 'bands' | 'pricesEurKwh' | 'statedPrices' | 'statedUnit' | 'fixedFeeEurYear' | 'notes'>

function readTerms(cell: Cell, commodity: Commodity, { priceType, customer }: OfferGroup): Terms {
  const statedUnit = UNIT_OF[commodity]
  const { bands, prices } =
    priceType === 'fisso' ? fixedPrices(cell, commodity) : { bands: 'single' as const, prices: [spread(cell)] }
  checkPrices(prices, priceType, statedUnit)
  const feeColumn = priceType === 'fisso' ? 'p_fix_f' : 'p_fix_v'
  const fixedFeeEurYear = readAmount(cell(feeColumn), feeColumn) || undefined
  if (fixedFeeEurYear !== undefined) checkFee(fixedFeeEurYear, customer)

  const notes: OfferNote[] = []
  if (fixedFeeEurYear === undefined) notes.push('fee_not_stated')
  if (ZONE_COLUMNS.some((column) => cell(column) !== undefined)) notes.push('local')
  return {
    bands,
    pricesEurKwh: prices.map((price) => toEurKwh(price, statedUnit)),
    statedPrices: prices,
    statedUnit,
    fixedFeeEurYear,
    notes,
  }
}

/** Returns the prices in the first way of stating them that is used at all; it must be complete. */
function fixedPrices(cell: Cell, commodity: Commodity): { bands: Bands; prices: number[] } {
  let hasZero = false
  for (const [bands, columns] of PRICE_COLUMNS[commodity]) {
    const amounts = columns.map((column) => readAmount(cell(column), column))
    hasZero ||= amounts.includes(0)
    const stated = amounts.map((amount) => amount || undefined)
    if (stated.every((amount) => amount === undefined)) continue
    const missing = columns.filter((_, index) => stated[index] === undefined)
    if (missing.length > 0) throw new ExcludedOffer('missing_band_price', `${missing.join(', ')} without a price`)
    return { bands, prices: stated.filter((amount) => amount !== undefined) }
  }
  throw new ExcludedOffer(
    hasZero ? 'zero_price' : 'missing_price',
    hasZero ? 'every price is 0' : 'every price is empty',
  )
}

function spread(cell: Cell): number {
  const alpha = readAmount(cell('alpha'), 'alpha')
  if (alpha === undefined) throw new ExcludedOffer('missing_price', 'alpha is empty')
  if (alpha === 0) throw new ExcludedOffer('zero_price', 'alpha is 0')
  return alpha
}

function columnsOf(header: string): Map<string, number> {
  return new Map(
    header
      .trim()
      .split(',')
      .map((name, index) => [name.trim().toLowerCase(), index]),
  )
}
