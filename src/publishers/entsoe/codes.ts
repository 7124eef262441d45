/** ENTSO-E's codes in answers to document type A44, day-ahead prices. */

import type { ResolutionMinutes } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'

/** Bidding zones by their energy identification code. There is no PUN here; the code of all Italy is not a zone. */
export const ZONE_BY_EIC: ReadonlyMap<string, ZoneCode> = new Map([
  ['10Y1001A1001A73I', 'nord'],
  ['10Y1001A1001A70O', 'cnor'],
  ['10Y1001A1001A71M', 'csud'],
  ['10Y1001A1001A788', 'sud'],
  ['10Y1001C--00096J', 'cala'],
  ['10Y1001A1001A75E', 'sici'],
  ['10Y1001A1001A74G', 'sard'],
])

export const MINUTES_BY_RESOLUTION: ReadonlyMap<string, ResolutionMinutes> = new Map([
  ['PT15M', 15],
  ['PT30M', 30],
  ['PT60M', 60],
  ['PT1H', 60],
])

/** Root elements: prices, and the answer in their place where there are none. */
export const PRICES_ROOT = 'Publication_MarketDocument'
export const ACKNOWLEDGEMENT_ROOT = 'Acknowledgement_MarketDocument'

/** The reason of an acknowledgement where nothing is published for the requested time and zone. */
export const NO_DATA = /no matching data/i

export const PRICE_DOCUMENT_TYPE = 'A44'

/** `contract_MarketAgreement.type` of the day-ahead auction; intraday auctions (A07) come in documents of the same type. */
export const DAY_AHEAD_CONTRACT = 'A01'

/** Every position is stated. */
export const CURVE_OF_POINTS = 'A01'
/** A position that is left out repeats the one before, up to the end of its period. */
export const CURVE_OF_BLOCKS = 'A03'

export const CURRENCY = 'EUR'
export const PRICE_UNIT = 'MWH'
