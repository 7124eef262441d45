/** The code lists of the free-market XML (schema OffertaRetail/01) and their meaning here. */
import type { Commodity, Customer, PriceType } from '../../market/offers.ts'
import type { Bands, Reference } from './offer.ts'

export const ROOT = 'ListaOfferteMercatoLibero'
export const OFFER = 'offerta'

/** TIPO_MERCATO */
export const MARKETS: ReadonlyMap<string, Commodity | 'dual'> = new Map([
  ['01', 'luce'],
  ['02', 'gas'],
  ['03', 'dual'],
])

/** TIPO_CLIENTE: households, other uses, condominiums. */
export const CUSTOMERS: ReadonlyMap<string, Customer> = new Map([
  ['01', 'domestico'],
  ['02', 'business'],
  ['03', 'business'],
])

/** TIPO_OFFERTA: fixed, variable, flat, mixed. */
export const PRICE_TYPES: ReadonlyMap<string, PriceType | 'other'> = new Map([
  ['01', 'fisso'],
  ['02', 'variabile'],
  ['03', 'other'],
  ['04', 'other'],
])

/** IDX_PREZZO_ENERGIA: quarterly, two-monthly and monthly averages of an index; regulated formulas; 99 is a custom formula. */
export const INDICES: ReadonlyMap<string, Reference> = new Map([
  ['01', 'PUN'],
  ['08', 'PUN'],
  ['12', 'PUN'],
  ['02', 'TTF'],
  ['09', 'TTF'],
  ['13', 'TTF'],
  ['03', 'PSV'],
  ['10', 'PSV'],
  ['14', 'PSV'],
  ['04', 'other'], // Psbil, quarterly
  ['11', 'other'], // Psbil, two-monthly
  ['15', 'other'], // Psbil, monthly
  ['05', 'other'], // PE
  ['06', 'other'], // Cmem
  ['07', 'other'], // Pfor
  ['99', 'other'],
])

/** TIPOLOGIA_FASCE; 04 to 06 are custom weeks, for which there is no profile. */
export const BAND_LAYOUTS: ReadonlyMap<string, Bands | 'own'> = new Map([
  ['01', 'single'],
  ['02', 'f1-f23'],
  ['03', 'f1-f2-f3'],
  ['04', 'own'],
  ['05', 'own'],
  ['06', 'own'],
  ['07', 'peak-offpeak'],
  ['91', 'f1-f23'],
  ['92', 'f2-f13'],
  ['93', 'f3-f12'],
])

export type ElementaryBand = 'F1' | 'F2' | 'F3' | 'peak' | 'offpeak'

/** FASCIA_COMPONENTE; 01 alone is the single price. */
export const COMPONENT_BANDS: ReadonlyMap<string, readonly ElementaryBand[]> = new Map<string, ElementaryBand[]>([
  ['01', ['F1']],
  ['02', ['F2']],
  ['03', ['F3']],
  ['07', ['peak']],
  ['08', ['offpeak']],
  ['91', ['F2', 'F3']],
  ['92', ['F1', 'F3']],
  ['93', ['F1', 'F2']],
])
export const SINGLE_BAND = '01'

/** TIPOLOGIA of a component. */
export const STANDARD = '01'
export const OPTIONAL = '02'

/** MACROAREA of one-off fees. The others do not identify a component: its unit does. */
export const ONE_OFF_AREA = '05'

/** UNITA_MISURA */
export const UNITS = {
  eurYear: '01',
  eurKwYear: '02',
  eurKwh: '03',
  eurSmc: '04',
  eurOnce: '05',
  percent: '06',
} as const
export const KNOWN_UNITS: ReadonlySet<string> = new Set(Object.values(UNITS))

/** CONSUMO_MAX if there is no limit. */
export const NO_LIMIT = 99_999_999
