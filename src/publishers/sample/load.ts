/** Demand, sun, wind and rivers of the synthetic country, all as shares of its highest demand. */
import { bellNoise, smoothNoise, uniformNoise } from './noise.ts'
import { clockHour, type PowerDay } from './power-day.ts'
import { season } from './seasons.ts'

/** Demand on the clock hour, 00:00 to 23:00. */
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
/** Clock of the sun: it is highest over Italy at about 11:10 UTC, in summer time as in winter time. */
const SOLAR_NOON_UTC = 11.2

const temperature = smoothNoise('temperature')
const flutter = bellNoise('demand')
const clouds = uniformNoise('clouds')
const wind = smoothNoise('wind')
const outages = uniformNoise('outages')

/** Demand of an interval without what rivers meet of it, and its solar and wind output. */
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

/** Rivers carry the melting snow of the mountains in spring; outside of it next to nothing. */
function meltAt(dayNumber: number): number {
  return 0.11 * Math.max(0, season(dayNumber, MID_MAY)) ** 2
}

/** Between two clock hours demand runs in a straight line, from 23:00 to the next 00:00 too. */
function onClock(shape: readonly number[], hour: number): number {
  const before = Math.floor(hour)
  const share = hour - before
  return (1 - share) * (shape[before % 24] ?? 0) + share * (shape[(before + 1) % 24] ?? 0)
}

/** Longer days and a higher sun in summer; clouds take up to half of it. */
function solarAt(dayNumber: number, utcHour: number): number {
  const summer = season(dayNumber, SUMMER_SOLSTICE)
  const halfDayHours = 6.1 + 1.5 * summer
  const fromNoon = Math.abs(utcHour - SOLAR_NOON_UTC) / halfDayHours
  if (fromNoon >= 1) return 0
  const clearness = 1 - 0.5 * clouds(dayNumber) ** 2
  return (0.42 + 0.13 * summer) * clearness * Math.cos((Math.PI / 2) * fromNoon) ** 1.5
}

/** On about one day in thirty plants fail when they are needed most; it counts as demand, and prices spike. */
function outageAt(day: PowerDay, hour: number): number {
  if (outages(day.number) >= 1 / 30) return 0
  const size = 0.08 + 0.17 * outages(day.number, 1)
  return size * Math.exp(-(((hour - 19.5) / 1.6) ** 2))
}
