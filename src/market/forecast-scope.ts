/** Subjects and horizons of the forecasts; separate from the response schemas, which the model process need not load. */
import type { AssetCode } from './assets.ts'
import type { FundamentalSeries } from './fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay } from './market-day.ts'
import { STORED_ZONES, type ZoneCode } from './zones.ts'

/** The indices that are forecast. */
export const FORECAST_ASSETS = ['PUN', 'PSV', 'TTF'] as const satisfies readonly AssetCode[]
export type ForecastAsset = (typeof FORECAST_ASSETS)[number]

export type HoursOfZone = `hours:${ZoneCode}`
/** Subject of a forecast and of a trained state: a daily index, or the hours of a zone. */
export type ForecastSubject = ForecastAsset | HoursOfZone

export function hoursOf(zone: ZoneCode): HoursOfZone {
  return `hours:${zone}`
}

/** Every index, and the hours of every zone. */
export const FORECAST_SUBJECTS: readonly ForecastSubject[] = [...FORECAST_ASSETS, ...STORED_ZONES.map(hoursOf)]

/** Undefined for an index. */
export function zoneOf(subject: AssetCode | HoursOfZone): ZoneCode | undefined {
  return subject.startsWith('hours:') ? (subject.slice('hours:'.length) as ZoneCode) : undefined
}

/** Length of the longest curve, in calendar days from the first day shown. */
export const HORIZON_DAYS_MAX = 180

/** A forecast that starts from an older price is neither made nor shown. */
export const INFO_AGE_DAYS_MAX = 7
/** Gas and power prices may be published this many days ahead. */
export const DAYS_AHEAD_MAX = 3
/** From Good Friday to Easter Monday no exchange is open. */
const CLOSED_DAYS_MAX = 4

/**
 * How far ahead forecasts are made, in calendar days after the last known market day. Days that have since begun or been published are
 * not shown; the remaining ones still fill the longest curve.
 */
export const FORECAST_REACH_DAYS = HORIZON_DAYS_MAX + INFO_AGE_DAYS_MAX + DAYS_AHEAD_MAX + CLOSED_DAYS_MAX

/**
 * Additional inputs of an asset's forecasts, and how many days before its info date their last used price lies. PUN of D
 * appears at 12:55 of D−1; by that evening PSV of gas day D has closed (19:00) and TTF of D−1 (18:00), well before the PUN of D+1. The
 * delay is fixed, not "the latest available", so that past forecasts are reproduced with the inputs known at the time.
 */
export const INPUT_DELAY_DAYS = {
  PUN: { PSV: 0, TTF: 1 },
  PSV: {},
  TTF: {},
} as const satisfies Record<ForecastAsset, Partial<Record<ForecastAsset, number>>>

/** `INPUT_DELAY_DAYS` of an asset as a list. */
export function forecastInputs(asset: ForecastAsset): { asset: ForecastAsset; delayDays: number }[] {
  const delays = Object.entries(INPUT_DELAY_DAYS[asset]) as [ForecastAsset, number][]
  return delays.map(([input, delayDays]) => ({ asset: input, delayDays }))
}

/** When the price of a market day is usually published, Rome time; TTF on the trading day before delivery. */
export const USUAL_PUBLICATION = {
  PUN: { days: -1, time: '12:55' },
  PSV: { days: -1, time: '19:00' },
  TTF: { days: -1, time: '18:00' },
} as const satisfies Record<ForecastAsset, { days: number; time: string }>

/** How far ahead hours are forecast, in calendar days after the last known market day: a week from the first unpublished day, plus one day. */
export const HOURLY_REACH_DAYS = 8
/** The longest hourly curve, in market days. */
export const HOURLY_DAYS_MAX = 7
/** Days of hourly prices that an issue reads; no model looks further back to forecast. */
export const HOURLY_LOOK_BACK_DAYS = 540

/**
 * Input sets of an hourly forecast, largest first; each step needs less than the one before it. `everything`: the prices of neighbouring
 * markets for the same day, wind and solar, load. `without-neighbours`: wind and solar, load. `usual-weather`: load, and wind and solar as usual for
 * the season and as metered last. `without-weather`: load.
 */
export const INPUT_STEPS = [
  'everything',
  'without-neighbours',
  'usual-weather',
  'without-weather',
  'prices-only',
] as const
export type InputStep = (typeof INPUT_STEPS)[number]

/** Series that hourly forecasts are made from. For past days too they are forecasts, since actual values were not known then. */
export const HOURLY_DRIVERS = {
  load: 'load-forecast',
  wind: 'wind-forecast',
  solar: 'solar-forecast',
  neighbours: 'day-ahead-price',
} as const satisfies Record<string, FundamentalSeries>

/** Inputs of our forecast of wind and solar output, used until the official one is published: weather runs and metered output. */
export const OUTPUT_INPUTS = {
  wind: { weather: 'wind-speed', metered: 'generation-wind-onshore' },
  solar: { weather: 'solar-radiation', temperature: 'temperature', metered: 'generation-solar' },
} as const satisfies Record<string, Record<string, FundamentalSeries>>
/** Number of days by which these inputs begin before the hourly prices; this gives two years of training data. */
export const OUTPUT_LOOK_BACK_DAYS = 360

/** Long enough for 30 scored trading days and some missing ones. */
export const ACCURACY_LOOK_BACK_DAYS = 120

/** The three daily issues of hours: from 11:15 for tomorrow, once tomorrow's prices are published, and once the evening's gas prices are known. */
export const ISSUE_KINDS = ['pre-auction', 'midday', 'evening'] as const
export type IssueKind = (typeof ISSUE_KINDS)[number]

/** Neighbouring auctions have cleared, the load forecast is out, and the Italian gate closes at 12:00. */
const PRE_AUCTION_FROM = Temporal.PlainTime.from('11:15')
/** TTF settles at this time. */
const EVENING_FROM = Temporal.PlainTime.from('17:30')

/** From when an issue with prices up to `infoDate` is the last one before the next day's auction. */
export function preAuctionFrom(infoDate: MarketDay): Temporal.Instant {
  return infoDate.toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: PRE_AUCTION_FROM }).toInstant()
}

/** Usual time of an issue with prices up to `infoDate`: the hour at which its inputs are known. */
export function usualIssueTime(kind: IssueKind, infoDate: MarketDay): Temporal.Instant {
  if (kind === 'pre-auction') return preAuctionFrom(infoDate)
  const plainTime = Temporal.PlainTime.from(kind === 'midday' ? '13:00' : '19:30')
  return infoDate.subtract({ days: 1 }).toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime }).toInstant()
}

/** Kind of an issue at that instant with prices up to `infoDate`, which are published at midday of the previous day. */
export function issueKindAt(now: Temporal.Instant, infoDate: MarketDay): IssueKind {
  if (Temporal.Instant.compare(now, preAuctionFrom(infoDate)) >= 0) return 'pre-auction'
  const evening = infoDate
    .subtract({ days: 1 })
    .toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: EVENING_FROM })
  return Temporal.Instant.compare(now, evening.toInstant()) >= 0 ? 'evening' : 'midday'
}
