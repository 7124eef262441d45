/** What the power model needs to know about a market day, computed once and not per interval. */
import { hoursInMarketDay, type MarketDay, type ResolutionMinutes, startOfMarketDay } from '../../market/market-day.ts'
import { dayNumber } from './seasons.ts'

/** Since this day the day-ahead market clears in quarter-hours. */
const FIRST_QUARTER_HOUR_DAY = Temporal.PlainDate.from('2025-10-01')

const SATURDAY = 6
const SUNDAY = 7
const MILLISECONDS_PER_HOUR = 3_600_000

export interface PowerDay {
  /** Days since 1970-01-01. */
  number: number
  /** 23, 24 or 25. */
  hours: number
  resolutionMinutes: ResolutionMinutes
  /** How many intervals of that length it has. */
  intervals: number
  /** Local midnight in hours from midnight UTC of the same date: −1 in winter, −2 in summer. */
  startUtcHour: number
  /** Share of the working week's activity: 1, less than half on Saturday, 0 on Sundays and holidays. */
  activity: number
  /** The two weeks around 15 August, when factories close. */
  summerBreak: boolean
}

export function powerDay(day: MarketDay, isHoliday: boolean): PowerDay {
  const number = dayNumber(day)
  const hours = hoursInMarketDay(day)
  const resolutionMinutes = Temporal.PlainDate.compare(day, FIRST_QUARTER_HOUR_DAY) < 0 ? 60 : 15
  return {
    number,
    hours,
    resolutionMinutes,
    intervals: (hours * 60) / resolutionMinutes,
    startUtcHour: startOfMarketDay(day).epochMilliseconds / MILLISECONDS_PER_HOUR - number * 24,
    activity: activityOf(day, isHoliday),
    summerBreak: day.month === 8 && day.day >= 8 && day.day <= 22,
  }
}

function activityOf(day: MarketDay, isHoliday: boolean): number {
  if (day.dayOfWeek === SUNDAY || isHoliday) return 0
  return day.dayOfWeek === SATURDAY ? 0.45 : 1
}

/** Clock hour after so many hours since local midnight: on change days the clock skips or repeats the hour from 02:00. */
export function clockHour(elapsedHours: number, hoursInDay: number): number {
  if (hoursInDay === 23 && elapsedHours >= 2) return elapsedHours + 1
  if (hoursInDay === 25 && elapsedHours >= 3) return elapsedHours - 1
  return elapsedHours
}
