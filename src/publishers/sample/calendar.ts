/** When the synthetic publisher publishes: the hours and closed days of the publishers it simulates. */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { eexEua } from '../eex-eua.ts'
import { eexTtf } from '../eex-ttf/index.ts'
import { eiaBrent } from '../eia-brent.ts'
import { gmeMgas } from '../gme-mgas/index.ts'
import { gmeMgp } from '../gme-mgp/index.ts'
import type { Publisher } from '../publisher.ts'
import { momentOf } from '../schedule.ts'
import { uniformNoise } from './noise.ts'
import { dayNumber } from './seasons.ts'

/** What is published together: all zones of a day with the PUN, or the day's price of one other asset. */
export type SampleSeries = 'day-ahead' | Exclude<AssetCode, 'PUN'>

interface Timetable {
  series: SampleSeries
  /** The publisher it simulates: its clock time and closed days apply here too. */
  like: Publisher
  /** How many calendar days before the market day itself: 1 for the day-ahead market, else 0. */
  daysAhead: number
}

/** In order of time, so that the publications of a calendar day are made oldest first. */
export const TIMETABLES: readonly Timetable[] = [
  { series: 'CO2', like: eexEua, daysAhead: 0 },
  { series: 'day-ahead', like: gmeMgp, daysAhead: 1 },
  { series: 'TTF', like: eexTtf, daysAhead: 0 },
  { series: 'PSV', like: gmeMgas, daysAhead: 0 },
  { series: 'Brent', like: eiaBrent, daysAhead: 0 },
]

/** Clock in Rome of the day-ahead prices of a late day, and of the corrected prices on the day itself. */
const LATE_TIME = '16:40'
const CORRECTION_TIME = '10:30'
/** One day in forty is late, one in ninety is corrected. */
const LATE_SHARE = 1 / 40
const CORRECTED_SHARE = 1 / 90

const incidents = uniformNoise('incidents')

/** The instant at which the series' value for the market day is published: the day-ahead prices of 2026-03-30 at 12:55 on the 29th. */
export function publicationInstant({ series, like, daysAhead }: Timetable, day: MarketDay): Temporal.Instant {
  const isLate = series === 'day-ahead' && incidents(dayNumber(day)) < LATE_SHARE
  return momentOf(day, { ...like.publishes, days: -daysAhead, ...(isLate && { time: LATE_TIME }) })
}

/** When other prices of the market day replace those first published; undefined where the first ones hold. */
export function correctionInstant(day: MarketDay): Temporal.Instant | undefined {
  if (incidents(dayNumber(day), 1) >= CORRECTED_SHARE) return undefined
  return momentOf(day, { days: 0, time: CORRECTION_TIME })
}
