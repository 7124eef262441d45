/** Publications of the synthetic publisher. Results depend on the arguments alone, which include national holidays. */

import type { AssetCode } from '../../market/assets.ts'
import { type MarketDay, marketDayOf, startOfMarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { isBefore } from '../../market/time-order.ts'
import { eexEua } from '../eex-eua.ts'
import { eexTtf } from '../eex-ttf.ts'
import { eiaBrent } from '../eia-brent.ts'
import { gmeIntraday } from '../gme-intraday.ts'
import { gmeMgas } from '../gme-mgas/index.ts'
import { gmeMgp } from '../gme-mgp/index.ts'
import type { DailyPrice, FundamentalDay, ZoneDay } from '../observations.ts'
import type { Publisher } from '../publisher.ts'
import { momentToInstant } from '../schedule.ts'
import { ternaImbalance } from '../terna-imbalance.ts'
import { allowancePrice, brentPrice, psvPrice, ttfPrice } from './fuels.ts'
import { intradayDays, settledDays } from './markets.ts'
import { dayNumber, uniformNoise } from './noise.ts'
import { powerPrices, roundToCents } from './power.ts'

// When the synthetic publisher publishes: the hours and closed days of the publishers it simulates.

/** Kinds of publications: all zones of a day with the PUN, its intraday or imbalance prices, or the day's price of one other asset. */
export type SampleSeries = 'day-ahead' | MarketSeries | Exclude<AssetCode, 'PUN'>
type MarketSeries = 'intraday' | 'settled'

interface Timetable {
  series: SampleSeries
  /** The publisher it simulates: its clock time and closed days apply here too. */
  simulated: Publisher
  /** How many calendar days before the market day itself: 1 for the day-ahead market, -1 for imbalance settlement. */
  daysAhead: number
}

/** Timetables in chronological order, so that the publications of a calendar day are generated oldest first. */
const TIMETABLES: readonly Timetable[] = [
  { series: 'CO2', simulated: eexEua, daysAhead: 0 },
  { series: 'day-ahead', simulated: gmeMgp, daysAhead: 1 },
  { series: 'settled', simulated: ternaImbalance, daysAhead: -1 },
  { series: 'TTF', simulated: eexTtf, daysAhead: 0 },
  { series: 'PSV', simulated: gmeMgas, daysAhead: 0 },
  { series: 'Brent', simulated: eiaBrent, daysAhead: 0 },
  { series: 'intraday', simulated: gmeIntraday, daysAhead: 1 },
]

/** Times in Rome: of day-ahead prices on a late day, and of corrected prices on the day itself. */
const LATE_TIME = '16:40'
const CORRECTION_TIME = '10:30'
/** One day in forty is late, one in ninety is corrected. */
const LATE_SHARE = 1 / 40
const CORRECTED_SHARE = 1 / 90

const incidents = uniformNoise('incidents')

/** The instant at which the series' value for the market day is published: the day-ahead prices of 2026-03-30 at 12:55 on the 29th. */
function publicationInstant({ series, simulated, daysAhead }: Timetable, day: MarketDay): Temporal.Instant {
  const isLate = series === 'day-ahead' && incidents(dayNumber(day)) < LATE_SHARE
  return momentToInstant(day, { ...simulated.publishes, days: -daysAhead, ...(isLate && { time: LATE_TIME }) })
}

/** Returns when corrected prices of the market day are published; undefined if it is not corrected. */
export function correctionInstant(day: MarketDay): Temporal.Instant | undefined {
  if (incidents(dayNumber(day), 1) >= CORRECTED_SHARE) return undefined
  return momentToInstant(day, { days: 0, time: CORRECTION_TIME })
}

/** One set of zones or one daily price, with the instant of its publication. */
export interface Publication {
  series: SampleSeries
  day: MarketDay
  publishedAt: Temporal.Instant
  items: (ZoneDay | DailyPrice | FundamentalDay)[]
  /** Replaces the first publication for the day. */
  isCorrection?: true
}

/** National holidays as YYYY-MM-DD. */
type Holidays = ReadonlySet<string>

const HISTORY_YEARS = 3
/** Hours of the day with a wrong price, and by how much it is too high. */
const MISTAKEN_HOURS = { from: 14, to: 18 }
const MISTAKE_EUR_MWH = 12.5

const DAILY_PRICES = { PSV: psvPrice, TTF: ttfPrice, Brent: brentPrice, CO2: allowancePrice }

/** Returns the series' publication for a market day; undefined if it has none, such as the TTF on a Sunday. */
export function publicationFor(series: SampleSeries, day: MarketDay, holidays: Holidays): Publication | undefined {
  const timetable = timetableOf(series)
  if (!timetable.simulated.publishesOn(day)) return undefined
  const publishedAt = publicationInstant(timetable, day)
  const isHoliday = holidays.has(day.toString())
  if (series === 'intraday' || series === 'settled') {
    return { series, day, publishedAt, items: (series === 'intraday' ? intradayDays : settledDays)(day, isHoliday) }
  }
  if (series !== 'day-ahead') return { series, day, publishedAt, items: [dailyPrice(series, day)] }
  const prices = powerPrices(day, isHoliday)
  return { series, day, publishedAt, items: correctionInstant(day) ? prices.map(withMistakes) : prices }
}

/** Returns the corrected prices of the market day; undefined if it is not corrected. */
function correctionFor(day: MarketDay, holidays: Holidays): Publication | undefined {
  const publishedAt = correctionInstant(day)
  if (publishedAt === undefined) return undefined
  const items = powerPrices(day, holidays.has(day.toString()))
  return { series: 'day-ahead', day, publishedAt, items, isCorrection: true }
}

/** Returns the day as first published, with afternoon prices too high. */
function withMistakes(zoneDay: ZoneDay): ZoneDay {
  const perHour = 60 / zoneDay.resolutionMinutes
  const isMistaken = (i: number) => i >= MISTAKEN_HOURS.from * perHour && i < MISTAKEN_HOURS.to * perHour
  const prices = zoneDay.prices.map((price, i) =>
    price !== undefined && isMistaken(i) ? roundToCents(price + MISTAKE_EUR_MWH) : price,
  )
  return { ...zoneDay, prices }
}

/**
 * Yields everything published in (after, until], oldest first: fills the history at first start and catches up later. Intraday and
 * imbalance prices, which are numerous, start at `marketsFrom`.
 */
export function* publicationsBetween(
  after: Temporal.Instant,
  until: Temporal.Instant,
  holidays: Holidays,
  marketsFrom: MarketDay,
): Generator<Publication> {
  const lastDate = marketDayOf(until)
  for (let date = marketDayOf(after); Temporal.PlainDate.compare(date, lastDate) <= 0; date = date.add({ days: 1 })) {
    const isDue = (instant: Temporal.Instant) => isBefore(after, instant) && !isBefore(until, instant)
    const correction = correctionFor(date, holidays)
    if (correction && isDue(correction.publishedAt)) yield correction
    for (const timetable of TIMETABLES) {
      const day = date.add({ days: timetable.daysAhead })
      if (!isDue(publicationInstant(timetable, day))) continue
      const isOfMarkets = timetable.series === 'intraday' || timetable.series === 'settled'
      if (isOfMarkets && isBefore(date, marketsFrom)) continue
      const publication = publicationFor(timetable.series, day, holidays)
      if (publication) yield publication
    }
  }
}

/** Returns the `marketsFrom` of a history: ten days before `now`. */
export function marketsStart(now: Temporal.Instant): MarketDay {
  return marketDayOf(now).subtract({ days: 10 })
}

/** Returns the `after` of a history: three years before the day of `now`, with every series from that day on. */
export function historyStart(now: Temporal.Instant): Temporal.Instant {
  return startOfMarketDay(marketDayOf(now).subtract({ years: HISTORY_YEARS, days: 1 }))
}

function timetableOf(series: SampleSeries) {
  const timetable = TIMETABLES.find((candidate) => candidate.series === series)
  if (!timetable) throw new Error(`no timetable for ${series} in src/publishers/sample/publications.ts`)
  return timetable
}

function dailyPrice(asset: Exclude<SampleSeries, 'day-ahead' | MarketSeries>, day: MarketDay): DailyPrice {
  const price = round(DAILY_PRICES[asset](dayNumber(day)), 2)
  return { kind: 'daily-price', asset, day, price, faults: [] }
}
