/** When the synthetic publisher publishes: the hours and the closed days of the publishers it stands for. */
import type { AssetCode } from '../../market/assets.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../../market/market-day.ts'
import { isAuctionDay, isTradingDay } from '../../market/trading-days.ts'

/** What is published together: all zones of a day with the PUN, or the day's price of one other asset. */
export type SampleSeries = 'day-ahead' | Exclude<AssetCode, 'PUN'>

interface Timetable {
  series: SampleSeries
  /** Clock in Rome. */
  time: Temporal.PlainTime
  /** How many calendar days before the market day itself: 1 for the day-ahead market, else 0. */
  daysAhead: number
  publishesFor: (day: MarketDay) => boolean
}

/** In the order of the clock, so that the publications of a calendar day come out oldest first. */
export const TIMETABLES: readonly Timetable[] = [
  { series: 'CO2', time: Temporal.PlainTime.from('11:00'), daysAhead: 0, publishesFor: isAuctionDay },
  { series: 'day-ahead', time: Temporal.PlainTime.from('12:55'), daysAhead: 1, publishesFor: () => true },
  { series: 'TTF', time: Temporal.PlainTime.from('18:00'), daysAhead: 0, publishesFor: isTradingDay },
  { series: 'PSV', time: Temporal.PlainTime.from('19:00'), daysAhead: 0, publishesFor: () => true },
  { series: 'Brent', time: Temporal.PlainTime.from('20:00'), daysAhead: 0, publishesFor: isTradingDay },
]

/** The instant at which the series' value for the market day comes out: the day-ahead prices of 2026-03-30 at 12:55 on the 29th. */
export function publicationInstant({ time, daysAhead }: Timetable, day: MarketDay): Temporal.Instant {
  return day.subtract({ days: daysAhead }).toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: time }).toInstant()
}
