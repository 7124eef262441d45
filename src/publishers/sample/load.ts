/** Demand and solar, wind and river output of the synthetic country, all as shares of its peak demand. */

import { hoursInMarketDay, type MarketDay, type ResolutionMinutes, startOfMarketDay } from '../../market/market-day.ts'
import { bellNoise, dayNumber, season, smoothNoise, uniformNoise } from './noise.ts'

/** Demand by clock hour, 00:00 to 23:00. */
const WORKING_DAY = [
  0.6, 0.56, 0.54, 0.53, 0.54, 0.57, 0.64, 0.74, 0.86, 0.91, 0.89, 0.87, 0.84, 0.83, 0.83, 0.83, 0.84, 0.86, 0.89, 0.93,
  0.91, 0.84, 0.76, 0.67,
]
const REST_DAY = [
  0.58, 0.54, 0.51, 0.5, 0.49, 0.49, 0.5, 0.52, 0.57, 0.64, 0.68, 0.69, 0.68, 0.66, 0.63, 0.62, 0.63, 0.66, 0.71, 0.77,
  0.77, 0.72, 0.67, 0.62,
]

const MID_JANUARY = 20
const MID_MAY = 130
const SUMMER_SOLSTICE = 172
/** Solar noon in Italy is at about 11:10 UTC, in summer time as in winter time. */
const SOLAR_NOON_UTC = 11.2

const temperature = smoothNoise('temperature')
const flutter = bellNoise('demand')
const clouds = uniformNoise('clouds')
const wind = smoothNoise('wind')
const outages = uniformNoise('outages')

/** Demand of an interval net of river output, and its solar and wind output. */
export interface Load {
  demand: number
  solar: number
  wind: number
}

/** Load in the middle of the n-th interval (from 1) of the day. */
export function loadAt(day: PowerDay, ordinal: number): Load {
  const elapsedHours = ((ordinal - 0.5) * day.resolutionMinutes) / 60
  const hour = clockHour(elapsedHours, day.hours)
  const utcHour = day.startUtcHour + elapsedHours
  return {
    demand: demandAt(day, hour) - meltAt(day.number) + outageAt(day, hour) + 0.005 * flutter(day.number, ordinal),
    solar: solarAt(day.number, utcHour),
    wind: Math.max(0.01, 0.09 + 0.04 * wind((day.number + utcHour / 24) / 1.5)),
  }
}

/** Peaks in winter (heating) and summer (cooling), less in spring, autumn and the August break. */
function demandAt(day: PowerDay, hour: number): number {
  const shape = day.activity * onClock(WORKING_DAY, hour) + (1 - day.activity) * onClock(REST_DAY, hour)
  const weather = 1 + 0.05 * season(day.number, MID_JANUARY, 2) + 0.02 * temperature(day.number / 3)
  return (shape + comfortAt(day.number, hour)) * weather * (day.summerBreak ? 0.9 : 1)
}

/** Heating adds to winter's mornings and evenings, cooling to summer's afternoons. */
function comfortAt(dayNumber: number, hour: number): number {
  const winter = season(dayNumber, MID_JANUARY)
  const around = (peak: number, width: number) => Math.exp(-(((hour - peak) / width) ** 2))
  return winter > 0
    ? winter * (0.03 * around(8.5, 1.5) + 0.05 * around(18.5, 2))
    : -winter * (0.06 * around(15, 3) + 0.02 * around(21, 1.5))
}

/** River output comes from snowmelt in spring, and is close to zero in other seasons. */
function meltAt(dayNumber: number): number {
  return 0.11 * Math.max(0, season(dayNumber, MID_MAY)) ** 2
}

/** Interpolates demand linearly between clock hours, including from 23:00 to the next 00:00. */
function onClock(shape: readonly number[], hour: number): number {
  const before = Math.floor(hour)
  const share = hour - before
  return (1 - share) * (shape[before % 24] ?? 0) + share * (shape[(before + 1) % 24] ?? 0)
}

/** Longer days and a higher sun in summer; clouds reduce output by up to half. */
function solarAt(dayNumber: number, utcHour: number): number {
  const summer = season(dayNumber, SUMMER_SOLSTICE)
  const halfDayHours = 6.1 + 1.5 * summer
  const fromNoon = Math.abs(utcHour - SOLAR_NOON_UTC) / halfDayHours
  if (fromNoon >= 1) return 0
  const clearness = 1 - 0.5 * clouds(dayNumber) ** 2
  return (0.42 + 0.13 * summer) * clearness * Math.cos((Math.PI / 2) * fromNoon) ** 1.5
}

/** On about one day in thirty, plants fail at peak time. The outage is added to demand, so prices spike. */
function outageAt(day: PowerDay, hour: number): number {
  if (outages(day.number) >= 1 / 30) return 0
  const size = 0.08 + 0.17 * outages(day.number, 1)
  return size * Math.exp(-(((hour - 19.5) / 1.6) ** 2))
}

/** The first market day cleared in quarter-hours. */
const FIRST_QUARTER_HOUR_DAY = Temporal.PlainDate.from('2025-10-01')

const SATURDAY = 6
const SUNDAY = 7
const MILLISECONDS_PER_HOUR = 3_600_000

/** Inputs of the power model for a market day, computed once and not per interval. */
export interface PowerDay {
  /** Days since 1970-01-01. */
  number: number
  /** 23, 24 or 25. */
  hours: number
  resolutionMinutes: ResolutionMinutes
  /** Number of intervals of that length in the day. */
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

/** Converts hours elapsed since local midnight to a clock hour. On change days the hour from 02:00 is skipped or repeated. */
function clockHour(elapsedHours: number, hoursInDay: number): number {
  if (hoursInDay === 23 && elapsedHours >= 2) return elapsedHours + 1
  if (hoursInDay === 25 && elapsedHours >= 3) return elapsedHours - 1
  return elapsedHours
}
