/**
 * ENTSO-E's Transparency Platform: prices of the bidding zones, forecasts and actuals of load, wind and solar output, neighbours' prices
 * and imbalance prices. Each dataset is a separate publisher with its own timetable.
 */

import { MACROZONES } from '../../market/fundamentals.ts'
import { MARKET_ZONES } from '../../market/zones.ts'
import { type TextHead, textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { credential } from '../settings.ts'
import {
  ACKNOWLEDGEMENT_ROOT,
  BALANCING_ROOT,
  DAY_AHEAD_PROCESS,
  FORECAST_DOCUMENT_TYPE,
  GENERATION_DOCUMENT_TYPE,
  IMBALANCE_DOCUMENT_TYPE,
  ITALIAN_AREA_BY_EIC,
  ITALY_EIC,
  LOAD_DOCUMENT_TYPE,
  NEIGHBOUR_BY_EIC,
  PRICES_ROOT,
  QUANTITIES_ROOT,
  REALISED_PROCESS,
  ZONE_BY_EIC,
} from './codes.ts'
import { connectEntsoe, connectQueries, type EntsoeQuery, type EntsoeSettings, priceQuery } from './fetch.ts'
import {
  parseEntsoeA44,
  parseGeneration,
  parseImbalancePrices,
  parseLoad,
  parseNeighbourPrices,
  parseRenewablesForecast,
} from './parse.ts'

// What all of ENTSO-E's datasets have in common.

const ENTSOE = {
  name: 'ENTSO-E Transparency Platform',
  url: 'https://transparency.entsoe.eu',
  terms: 'Free to use when ENTSO-E is cited as the source; rights of the original data owners stay in force.',
  redistributable: true,
} as const

const ENTSOE_NEEDS = { ENTSOE_TOKEN: credential("token of ENTSO-E's API") }

/** Limits of each dataset of fundamentals: the platform allows 400 requests a minute for all of them and the prices together. */
const POLITENESS = { minIntervalMs: 1_500, requestsPerDay: 5_000 }

/** Returns the settings common to fetching all datasets of fundamentals. */
function commonFetchSettings(queries: readonly EntsoeQuery[]) {
  return {
    historyFrom: '2021-01-01',
    politeness: POLITENESS,
    needs: ENTSOE_NEEDS,
    connect: (settings: EntsoeSettings) => connectQueries(settings, queries),
  }
}

// Day-ahead prices of the bidding zones, without the PUN: the fallback for days that GME has not delivered.

export const entsoe = publisher({
  id: 'entsoe',
  ...ENTSOE,
  priority: 20,
  delivers: 'zones, where GME has not delivered them',
  zones: [...MARKET_ZONES, 'cala'],
  publishes: { days: -1, time: '12:55' },
  lateAt: { days: -1, time: '17:00' },
  fetching: {
    readFrom: 'document type A44',
    askFrom: { days: -1, time: '14:30' }, // once GME is more than an hour late
    pausesMinutes: [10, 20, 30],
    fallback: true,
    historyFrom: '2025-01-01',
    politeness: { minIntervalMs: 300, concurrency: 2, requestsPerDay: 5_000 }, // 400 requests a minute are allowed
    needs: ENTSOE_NEEDS,
    connect: connectEntsoe,
  },
  documents: [
    textDocument({
      kind: 'entsoe-a44-xml',
      about: 'XML of document type A44 for the Italian zones, hours or quarter-hours',
      recognise: (head) => isAcknowledgement(head) || (isPrices(head) && !isNeighbourPrices(head)),
      parse: parseEntsoeA44,
    }),
  ],
})

// Day-ahead load forecast, national and by zone. It must be published two hours before gate closure (Regulation (EU) 543/2013, art. 6).

const LOAD_FORECAST_QUERIES = [...ITALIAN_AREA_BY_EIC].map(([eic, area]): EntsoeQuery => {
  const parameters = { documentType: LOAD_DOCUMENT_TYPE, processType: DAY_AHEAD_PROCESS, outBiddingZone_Domain: eic }
  return { name: `A65_A01_${area}`, parameters }
})

export const entsoeLoadForecast = publisher({
  ...ENTSOE,
  id: 'entsoe-load-forecast',
  priority: 10,
  delivers: 'forecast of the load, of Italy and its zones',
  fundamentals: [{ series: 'load-forecast', area: 'IT' }],
  publishes: { days: -1, time: '10:00' },
  lateAt: { days: -1, time: '12:00' },
  fetching: {
    readFrom: 'document type A65, process A01',
    pausesMinutes: [10, 15, 30],
    ...commonFetchSettings(LOAD_FORECAST_QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a65-forecast-xml',
      about: 'XML of document type A65, process A01: day-ahead load of Italy or a zone',
      recognise: (head) => isQuantities(head, LOAD_DOCUMENT_TYPE, DAY_AHEAD_PROCESS),
      parse: parseLoad('load-forecast'),
    }),
  ],
})

// Day-ahead wind and solar forecasts, national and by zone, published by 18:00, after the auction (Regulation (EU) 543/2013, art. 14).

const RENEWABLES_QUERIES = [...ITALIAN_AREA_BY_EIC].map(([eic, area]): EntsoeQuery => {
  const parameters = { documentType: FORECAST_DOCUMENT_TYPE, processType: DAY_AHEAD_PROCESS, in_Domain: eic }
  return { name: `A69_${area}`, parameters }
})

export const entsoeRenewablesForecast = publisher({
  ...ENTSOE,
  id: 'entsoe-renewables-forecast',
  priority: 10,
  delivers: 'forecasts of wind and solar output, of Italy and its zones',
  fundamentals: [
    { series: 'wind-forecast', area: 'IT' },
    { series: 'solar-forecast', area: 'IT' },
  ],
  publishes: { days: -1, time: '18:00' },
  lateAt: { days: -1, time: '21:00' },
  fetching: {
    readFrom: 'document type A69',
    pausesMinutes: [15, 30],
    ...commonFetchSettings(RENEWABLES_QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a69-xml',
      about: 'XML of document type A69: day-ahead wind and solar output of Italy or a zone',
      recognise: (head) => isQuantities(head, FORECAST_DOCUMENT_TYPE),
      parse: parseRenewablesForecast,
    }),
  ],
})

// Actual load and generation by type of Italy, and wind and solar output of its zones; read in the night after the day.

/** Solar, and wind onshore. */
const TYPES_OF_ZONES = ['B16', 'B19']

const ACTUALS_QUERIES: EntsoeQuery[] = [
  ...[...ITALIAN_AREA_BY_EIC].map(([eic, area]) => ({
    name: `A65_A16_${area}`,
    parameters: { documentType: LOAD_DOCUMENT_TYPE, processType: REALISED_PROCESS, outBiddingZone_Domain: eic },
  })),
  { name: 'A75_IT', parameters: generationParameters(ITALY_EIC) },
  ...[...ZONE_BY_EIC].flatMap(([eic, zone]) =>
    TYPES_OF_ZONES.map((psrType) => ({
      name: `A75_${zone}_${psrType}`,
      parameters: { ...generationParameters(eic), psrType },
    })),
  ),
]

function generationParameters(eic: string) {
  return { documentType: GENERATION_DOCUMENT_TYPE, processType: REALISED_PROCESS, in_Domain: eic }
}

export const entsoeActuals = publisher({
  ...ENTSOE,
  id: 'entsoe-actuals',
  priority: 10,
  delivers: 'actual load and generation by type',
  fundamentals: [
    { series: 'load', area: 'IT' },
    { series: 'generation-solar', area: 'IT' },
    { series: 'generation-wind-onshore', area: 'IT' },
  ],
  publishes: { days: 1, time: '03:00' },
  lateAt: { days: 1, time: '15:00' },
  fetching: {
    readFrom: 'document types A65, process A16, and A75',
    pausesMinutes: [60],
    ...commonFetchSettings(ACTUALS_QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a65-actual-xml',
      about: 'XML of document type A65, process A16: actual load of Italy or a zone',
      recognise: (head) => isQuantities(head, LOAD_DOCUMENT_TYPE, REALISED_PROCESS),
      parse: parseLoad('load'),
    }),
    textDocument({
      kind: 'entsoe-a75-xml',
      about: 'XML of document type A75: generation by type, and the consumption of pumped storage',
      recognise: (head) => isQuantities(head, GENERATION_DOCUMENT_TYPE),
      parse: parseGeneration,
    }),
  ],
})

// Day-ahead prices of Italy's neighbours. Switzerland's auction closes at 11:00, before the Italian gate; the others clear with Italy.

/** Neighbours with a border or a cable to Italy; documents of others can be imported. */
const FETCHED_NEIGHBOURS = ['CH', 'FR', 'AT', 'SI', 'GR'] as const
const NEIGHBOUR_QUERIES = [...NEIGHBOUR_BY_EIC]
  .filter(([, area]) => (FETCHED_NEIGHBOURS as readonly string[]).includes(area))
  .map(([eic, area]) => priceQuery(eic, area))

export const entsoeNeighbours = publisher({
  ...ENTSOE,
  id: 'entsoe-neighbours',
  priority: 10,
  delivers: 'day-ahead prices of Switzerland, France, Austria, Slovenia and Greece',
  fundamentals: FETCHED_NEIGHBOURS.map((area) => ({ series: 'day-ahead-price', area })),
  publishes: { days: -1, time: '12:55' },
  lateAt: { days: -1, time: '17:00' },
  fetching: {
    readFrom: 'document type A44',
    askFrom: { days: -1, time: '10:30' }, // the early Austrian auction, then the Swiss one
    pausesMinutes: [10],
    ...commonFetchSettings(NEIGHBOUR_QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a44-neighbours-xml',
      about:
        'XML of document type A44 for CH, FR, AT, SI, GR, DE-LU or ES; a second sequence is the auction before the coupled one',
      recognise: isNeighbourPrices,
      parse: parseNeighbourPrices,
    }),
  ],
})

// Imbalance prices: the fallback for days that Terna has not delivered. One zone represents each macrozone.

const IMBALANCE_QUERIES = [...ZONE_BY_EIC]
  .filter(([, zone]) => zone === 'nord' || zone === 'sud')
  .map(([eic, zone]): EntsoeQuery => {
    const parameters = { documentType: IMBALANCE_DOCUMENT_TYPE, controlArea_Domain: eic }
    return { name: `A85_${zone}`, parameters }
  })

export const entsoeImbalance = publisher({
  ...ENTSOE,
  id: 'entsoe-imbalance',
  priority: 20,
  delivers: 'imbalance prices, where Terna has not delivered them',
  fundamentals: MACROZONES.map((area) => ({ series: 'imbalance-price', area })),
  publishes: { days: 1, time: '18:00' },
  lateAt: { days: 2, time: '18:00' },
  fetching: {
    readFrom: 'document type A85',
    pausesMinutes: [60],
    fallback: true,
    ...commonFetchSettings(IMBALANCE_QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a85-xml',
      about: 'XML of document type A85 for an Italian zone, final values only',
      recognise: ({ root }) => root === BALANCING_ROOT,
      parse: parseImbalancePrices,
    }),
  ],
})

// Tells ENTSO-E's documents apart by their first elements.

/** An acknowledgement to any request. */
function isAcknowledgement({ root }: TextHead): boolean {
  return root === ACKNOWLEDGEMENT_ROOT
}

function isPrices({ root }: TextHead): boolean {
  return root === PRICES_ROOT
}

/** Checks the first time series only: a response is about one area. */
function isNeighbourPrices(head: TextHead): boolean {
  return isPrices(head) && NEIGHBOUR_BY_EIC.has(textIn(head, 'in_Domain.mRID') ?? '')
}

/** Whether the document is load or generation of that type and, if given, of that process. */
function isQuantities(head: TextHead, type: string, process?: string): boolean {
  return (
    head.root === QUANTITIES_ROOT &&
    textIn(head, 'type') === type &&
    (process === undefined || textIn(head, 'process.processType') === process)
  )
}

/** The text of the first element of that name. */
function textIn({ xml = '' }: TextHead, name: string): string | undefined {
  return new RegExp(`<(?:[\\w-]+:)?${name.replace('.', '\\.')}(?:\\s[^>]*)?>\\s*([^<\\s]+)`).exec(xml)?.[1]
}
