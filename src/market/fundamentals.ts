/**
 * Fundamentals of the power market: measurements and forecasts in addition to prices, by series and area. The single definition of each
 * series, its unit, and when its values become known.
 */
import { ALL_MARKET_ZONES } from './zones.ts'

/**
 * Places whose weather is read, with the wind and solar capacity that they represent, in GW. The capacities are estimates for the regions
 * around them, not published figures; together 12 GW of wind and 30 GW of solar, as in Italy at the end of 2023. Only their proportions
 * matter: forecasts made from the weighted means are fitted to metered output.
 */
export const WEATHER_PLACES = [
  { code: 'torino', zone: 'nord', latitude: 45.07, longitude: 7.69, windGw: 0.1, solarGw: 2.7 },
  { code: 'milano', zone: 'nord', latitude: 45.46, longitude: 9.19, windGw: 0, solarGw: 4.1 },
  { code: 'padova', zone: 'nord', latitude: 45.41, longitude: 11.88, windGw: 0, solarGw: 4.1 },
  { code: 'bologna', zone: 'nord', latitude: 44.49, longitude: 11.34, windGw: 0.1, solarGw: 3.1 },
  { code: 'firenze', zone: 'cnor', latitude: 43.77, longitude: 11.25, windGw: 0.2, solarGw: 1.2 },
  { code: 'ancona', zone: 'cnor', latitude: 43.6, longitude: 13.5, windGw: 0.1, solarGw: 1.4 },
  { code: 'latina', zone: 'csud', latitude: 41.47, longitude: 12.9, windGw: 0.1, solarGw: 2.8 },
  { code: 'benevento', zone: 'csud', latitude: 41.13, longitude: 14.78, windGw: 2, solarGw: 2.4 },
  { code: 'foggia', zone: 'sud', latitude: 41.46, longitude: 15.54, windGw: 3.2, solarGw: 1.9 },
  { code: 'lecce', zone: 'sud', latitude: 40.35, longitude: 18.17, windGw: 0.3, solarGw: 1.7 },
  { code: 'potenza', zone: 'sud', latitude: 40.64, longitude: 15.8, windGw: 1.5, solarGw: 0.5 },
  { code: 'catanzaro', zone: 'cala', latitude: 38.91, longitude: 16.59, windGw: 1.2, solarGw: 0.8 },
  { code: 'trapani', zone: 'sici', latitude: 37.9, longitude: 12.7, windGw: 1.1, solarGw: 0.8 },
  { code: 'caltanissetta', zone: 'sici', latitude: 37.49, longitude: 14.06, windGw: 1.2, solarGw: 1.4 },
  { code: 'sassari', zone: 'sard', latitude: 40.73, longitude: 8.56, windGw: 0.7, solarGw: 0.6 },
  { code: 'cagliari', zone: 'sard', latitude: 39.22, longitude: 9.12, windGw: 0.4, solarGw: 0.8 },
] as const

/** Forecast days of every weather run. */
export const WEATHER_DAYS_AHEAD = 7

/** All of Italy, as defined by ENTSO-E. */
export const ITALY = 'IT'
const ITALIAN_AREAS = [ITALY, ...ALL_MARKET_ZONES] as const
/** Macrozones of imbalance settlement: the zone `nord`, and all others together. Their codes are never those of market zones. */
export const MACROZONES = ['macro-nord', 'macro-sud'] as const
export const NEIGHBOURS = ['CH', 'FR', 'AT', 'SI', 'GR', 'DE-LU', 'ES'] as const
export const FUNDAMENTAL_AREAS = [...ITALIAN_AREAS, ...NEIGHBOURS, ...WEATHER_PLACES.map(({ code }) => code)] as const
export type FundamentalArea = (typeof FUNDAMENTAL_AREAS)[number] | (typeof MACROZONES)[number]

/** A clock time in Rome, `days` after the market day; negative if before it. */
interface KnownFrom {
  days: number
  time: string
}

interface Fundamental {
  /** In words, without the area. */
  name: string
  unit: 'MW' | 'MWh' | '€/MWh' | 'm/s' | 'W/m²' | '°C'
  areas: readonly FundamentalArea[]
  /** Range of plausible values, inclusive. */
  limits: { min: number; max: number }
  /** Usual publication time of a day. Values that were read much later, as history, count as known from then. */
  known: KnownFrom
  /** Overrides by area. */
  knownIn?: Partial<Record<FundamentalArea, KnownFrom>>
  /** Last day of a series that has ended. */
  lastDay?: string
  /** Simulated, for trials only: never an input of a forecast in use. */
  simulated?: true
}

const MORNING_BEFORE: KnownFrom = { days: -1, time: '10:00' }
/** The deadline of Regulation (EU) 543/2013, article 14. */
const EVENING_BEFORE: KnownFrom = { days: -1, time: '18:00' }
/** Actual values appear an hour after each interval; a day is read once it is complete. */
const NIGHT_AFTER: KnownFrom = { days: 1, time: '03:00' }
/** Results of the coupled auction; the Swiss one closes at 11:00, the early Austrian one at 10:15. */
const AFTER_COUPLING: KnownFrom = { days: -1, time: '12:55' }
const AFTER_SWISS_AUCTION: KnownFrom = { days: -1, time: '11:10' }
const AFTER_EARLY_AUCTION: KnownFrom = { days: -1, time: '10:30' }
/** Historical weather is from the run of two days before the hour (`src/publishers/open-meteo.ts`). */
const RUN_OF_TWO_DAYS_BEFORE: KnownFrom = { days: -1, time: '06:00' }

const LOAD_LIMITS = { min: 1, max: 100_000 } // a missing load is published as zero
const OUTPUT_LIMITS = { min: -5_000, max: 100_000 }
const PRICE_LIMITS = { min: -600, max: 10_000 }

function generation(name: string): Fundamental {
  return { name, unit: 'MW', areas: ITALIAN_AREAS, limits: OUTPUT_LIMITS, known: NIGHT_AFTER }
}

function forecastOutput(name: string): Fundamental {
  return { ...generation(name), known: EVENING_BEFORE }
}

/** The last day of MI1 to MI7; MI-A1 to MI-A3 followed. */
const LAST_DAY_OF_SEVEN_SESSIONS = '2021-09-21'

/** Intraday auctions and the times of their results. */
export const INTRADAY_SESSIONS = {
  'mi-a1': { days: -1, time: '15:30' },
  'mi-a2': { days: -1, time: '22:30' },
  'mi-a3': { days: 0, time: '10:30' },
  mi1: { days: -1, time: '15:30' },
  mi2: { days: -1, time: '17:00' },
  mi3: { days: 0, time: '00:15' },
  mi4: { days: 0, time: '04:15' },
  mi5: { days: 0, time: '08:15' },
  mi6: { days: 0, time: '11:45' },
  mi7: { days: 0, time: '16:15' },
} as const satisfies Record<string, KnownFrom>
export type IntradaySession = keyof typeof INTRADAY_SESSIONS

/** Prices: limits of balancing energy on the European platforms. Volumes: more than any macrozone's imbalance in a quarter-hour. */
const IMBALANCE_LIMITS = { min: -15_000, max: 15_000 }
const FINAL: KnownFrom = { days: 1, time: '17:00' }
const PRELIMINARY: KnownFrom = { days: 1, time: '02:00' }

function marketPrice(name: string, known: KnownFrom): Fundamental {
  return { name, unit: '€/MWh', areas: ALL_MARKET_ZONES, limits: { min: -10_000, max: 10_000 }, known }
}

const INTRADAY_PRICES = Object.fromEntries(
  Object.entries(INTRADAY_SESSIONS).map(([session, known]) => [
    `${session}-price`,
    {
      ...marketPrice(`Price of the intraday auction ${session.toUpperCase()}`, known),
      ...(!session.startsWith('mi-a') && { lastDay: LAST_DAY_OF_SEVEN_SESSIONS }),
    },
  ]),
) as Record<`${IntradaySession}-price`, Fundamental>

const IMBALANCE_PARTS = {
  'imbalance-price': 'Imbalance price',
  'imbalance-base-price': 'Base price of the imbalance price',
  'imbalance-incentive': 'Incentive component of the imbalance price',
  'imbalance-volume': 'Aggregate imbalance of the macrozone',
} as const
export type ImbalancePart = keyof typeof IMBALANCE_PARTS

/** Preliminary values are separate series, so that both keep the time at which they became known. */
const IMBALANCE = Object.fromEntries(
  Object.entries(IMBALANCE_PARTS).flatMap(([series, name]) => {
    const unit: Fundamental['unit'] = series === 'imbalance-volume' ? 'MWh' : '€/MWh'
    const all = { unit, areas: MACROZONES, limits: IMBALANCE_LIMITS }
    return [
      [series, { ...all, name, known: FINAL }],
      [`${series}-preliminary`, { ...all, name: `${name}, preliminary`, known: PRELIMINARY }],
    ]
  }),
) as unknown as Record<ImbalancePart | `${ImbalancePart}-preliminary`, Fundamental>

/** Markets after the day-ahead market (`markets.ts`); stored like fundamentals but listed as markets. */
export const MARKET_SERIES = {
  ...INTRADAY_PRICES,
  'xbid-price': marketPrice('Reference price of the continuous intraday market', { days: 1, time: '02:00' }),
  'xbid-hour-price': marketPrice('Reference price of its hour products', { days: 1, time: '02:00' }),
  ...IMBALANCE,
}

const WEATHER_AREAS = [...ITALIAN_AREAS, ...WEATHER_PLACES.map(({ code }) => code)] as const

export const FUNDAMENTALS = {
  'load-forecast': {
    name: 'Day-ahead forecast of the load',
    unit: 'MW',
    areas: ITALIAN_AREAS,
    limits: LOAD_LIMITS,
    known: MORNING_BEFORE,
  },
  load: { name: 'Actual load', unit: 'MW', areas: ITALIAN_AREAS, limits: LOAD_LIMITS, known: NIGHT_AFTER },
  'wind-forecast': forecastOutput('Day-ahead forecast of onshore wind output'),
  'wind-offshore-forecast': forecastOutput('Day-ahead forecast of offshore wind output'),
  'solar-forecast': forecastOutput('Day-ahead forecast of solar output'),
  'wind-forecast-simulated': { ...forecastOutput('Simulated forecast of wind output'), simulated: true },
  'solar-forecast-simulated': { ...forecastOutput('Simulated forecast of solar output'), simulated: true },
  'generation-wind-onshore': generation('Onshore wind output'),
  'generation-wind-offshore': generation('Offshore wind output'),
  'generation-solar': generation('Solar output'),
  'generation-hydro-run-of-river': generation('Run-of-river output'),
  'generation-hydro-reservoir': generation('Reservoir hydro output'),
  'generation-hydro-pumped': generation('Pumped-storage output'),
  'consumption-hydro-pumped': generation('Consumption of pumped storage'),
  'generation-gas': generation('Gas-fired output'),
  'generation-coal': generation('Coal-fired output'),
  'generation-coal-gas': generation('Output from coal-derived gas'),
  'generation-oil': generation('Oil-fired output'),
  'generation-geothermal': generation('Geothermal output'),
  'generation-biomass': generation('Biomass output'),
  'generation-waste': generation('Output from waste'),
  'generation-other': generation('Output of other plants'),
  'day-ahead-price': {
    name: 'Day-ahead price of a neighbour',
    unit: '€/MWh',
    areas: NEIGHBOURS,
    limits: PRICE_LIMITS,
    known: AFTER_COUPLING,
    knownIn: { CH: AFTER_SWISS_AUCTION },
  },
  'early-auction-price': {
    name: 'Price of an auction before the day-ahead coupling',
    unit: '€/MWh',
    areas: ['AT', 'DE-LU'],
    limits: PRICE_LIMITS,
    known: AFTER_EARLY_AUCTION,
  },
  'wind-speed': {
    name: 'Forecast wind speed at 100 m; of zones weighted by installed wind capacity',
    unit: 'm/s',
    areas: WEATHER_AREAS,
    limits: { min: 0, max: 100 },
    known: RUN_OF_TWO_DAYS_BEFORE,
  },
  'solar-radiation': {
    name: 'Forecast solar radiation; of zones weighted by installed solar capacity',
    unit: 'W/m²',
    areas: WEATHER_AREAS,
    limits: { min: 0, max: 1_500 },
    known: RUN_OF_TWO_DAYS_BEFORE,
  },
  temperature: {
    name: 'Forecast air temperature at 2 m; of zones weighted by installed solar capacity',
    unit: '°C',
    areas: WEATHER_AREAS,
    limits: { min: -60, max: 60 },
    known: RUN_OF_TWO_DAYS_BEFORE,
  },
} as const satisfies Record<string, Fundamental>

type PublicSeries = keyof typeof FUNDAMENTALS
export type FundamentalSeries = PublicSeries | keyof typeof MARKET_SERIES
/** Series listed as fundamentals; markets after the day-ahead market are listed as markets. */
export const FUNDAMENTAL_SERIES = Object.keys(FUNDAMENTALS) as [PublicSeries, ...PublicSeries[]]

const ALL_SERIES: Record<FundamentalSeries, Fundamental> = { ...FUNDAMENTALS, ...MARKET_SERIES }

export function fundamentalOf(series: FundamentalSeries): Fundamental {
  return ALL_SERIES[series]
}
