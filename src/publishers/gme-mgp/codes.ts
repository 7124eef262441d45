/** GME's codes in the XML of the day-ahead market, and the names of its other files. */

import type { ResolutionMinutes } from '../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'

/** Tags of a row that hold prices we store. NAT is the national coupling price and not the PUN; other tags are zones abroad. */
export const ZONE_BY_TAG: ReadonlyMap<string, ZoneCode> = new Map([
  ['PUN', NATIONAL_ZONE],
  ['NORD', 'nord'],
  ['CNOR', 'cnor'],
  ['CSUD', 'csud'],
  ['SUD', 'sud'],
  ['CALA', 'cala'],
  ['SICI', 'sici'],
  ['SARD', 'sard'],
])

export interface RowKind {
  resolutionMinutes: ResolutionMinutes
  /** Tag of the interval's ordinal: elapsed hours or quarters of the day, from 1. */
  ordinalTag: string
}

/** Row elements that hold day-ahead prices. The quarter-hourly ones exist for market days from 2025-10-01. */
export const PRICE_ROWS: ReadonlyMap<string, RowKind> = new Map([
  ['Prezzi', { resolutionMinutes: 60, ordinalTag: 'Ora' }],
  ['Prezzi15', { resolutionMinutes: 15, ordinalTag: 'Periodo' }],
])

/** The value of `Mercato` in day-ahead files; intraday files (MI1…) have the same rows. */
export const DAY_AHEAD_MARKET = 'MGP'

/** The value of `Granularity` in quarter-hourly rows. */
export const QUARTER_HOUR = 'PT15'

/** Row elements of other GME files, for messages that name what was given instead. */
export const OTHER_ROWS: ReadonlyMap<string, string> = new Map([
  ['PrezziConvenzionali', 'conventional prices (PrezziConvenzionali)'],
  ['negoziazione_continua', 'results of continuous gas trading (MGP-GAS, MI-GAS)'],
  ['Asta', 'results of a gas auction (MGP-GAS AGS)'],
])
