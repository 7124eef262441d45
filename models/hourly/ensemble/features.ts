/**
 * What is known about the hours of a day some days ahead, relative to the level of the week up to the info date. Nothing later than
 * `target` − `ahead` but the calendar, the forecasts of load, wind and sun, and the prices of markets that clear earlier.
 */
import { type DayNumber, weekday } from '../../calendar.ts'
import { RunningMeans } from '../../numeric/running.ts'
import { type DailyHours, HOURS, hourOn } from '../history.ts'
import type { InputStep } from '../model.ts'
import { DRIVER_VIEWS, DRIVERS, type Drivers, driversOf } from './drivers.ts'
import { levelOf, toRelative } from './relative-price.ts'
import type { ZoneView } from './zone-view.ts'

const WEEK = 7
const MONTH_DAYS = 28
const YEAR_DAYS = 365
const HARMONIC_DAYS = 365.25
const DAY_LAGS = [0, 1, 2, 3, 4, 5, 6]
/** Days before the info date whose 24 hours count, beside the target's weekday in the last week. */
const HOUR_LAGS = [0, 1, 2]
const EXTREME_LAGS = [0, 1]
const GAS_MOVES_DAYS = [1, 2, 3, 7]
const GAS_MEANS_DAYS = [7, 28]
/** The target and its neighbours; the info date and the same weekday are counted as well. */
const HOLIDAYS_BESIDE = [0, 1, -1]
const HARMONICS = [1, 2]
/** One feature of load, wind or sun for so many hours. */
const BLOCK_HOURS = 3

/** Which features a set of inputs gives. */
type Group = 'prices' | 'load' | 'weather' | 'neighbours'
const GROUPS: Record<InputStep, readonly Group[]> = {
  everything: ['prices', 'load', 'weather', 'neighbours'],
  'without-neighbours': ['prices', 'load', 'weather'],
  'without-weather': ['prices', 'load'],
  'prices-only': ['prices'],
}

export interface FeatureSet {
  columns: number
  /** Those that a step sees. */
  columnsOf(step: InputStep): Int32Array
  /** Writes the features of that day, or of that hour of it. */
  fill(row: Float64Array, target: DayNumber, hour: number): void
}

export interface Features {
  /** The level that the features and what is forecast are relative to, €/MWh. */
  level(target: DayNumber): number
  /** Of a whole day, for one rule with 24 outputs. */
  day: FeatureSet
  /** Of one hour, for a rule of its own. */
  hour: FeatureSet
}

/** Of targets `ahead` days after the last price. */
export function features(view: ZoneView, ahead: number): Features {
  const { firstDay, hours, means, running, gas, holidays } = view
  const origin = (target: DayNumber) => target - ahead - firstDay
  const levelAfter = (day: number) => levelOf(running.ending(day, WEEK))
  const level = (target: DayNumber) => levelAfter(origin(target))
  const price = (day: number, hour: number) => hours[day * HOURS + hour] ?? Number.NaN
  const drivers = driversOf(view, ahead)
  const gasMeans = new RunningMeans(gas.TTF)
  const overGas = new RunningMeans(gas.TTF.map((value, day) => Math.log(levelAfter(day)) - value))
  const sameWeekday = (WEEK - (ahead % WEEK)) % WEEK
  const hourLags = [...new Set([...HOUR_LAGS, sameWeekday])]

  const shared = (target: DayNumber): number[] => {
    const at = origin(target)
    const base = level(target)
    const lastGas = gas.TTF[at] ?? Number.NaN
    return [
      ...DAY_LAGS.map((lag) => toRelative(means[at - lag] ?? Number.NaN, base)),
      Math.log(base / levelOf(running.ending(at, MONTH_DAYS))),
      ...GAS_MOVES_DAYS.map((days) => lastGas - (gas.TTF[at - days] ?? Number.NaN)),
      ...GAS_MEANS_DAYS.map((days) => lastGas - gasMeans.ending(at, days)),
      overGas.ending(at, 1) - overGas.ending(at, YEAR_DAYS),
      ...Array.from({ length: WEEK }, (_, day) => (weekday(target) === day ? 1 : 0)),
      ...[...HOLIDAYS_BESIDE.map((beside) => target + beside), target - ahead, target - WEEK].map((day) =>
        holidays.has(day) ? 1 : 0,
      ),
      ...HARMONICS.flatMap((harmonic) => {
        const angle = (2 * Math.PI * harmonic * target) / HARMONIC_DAYS
        return [Math.sin(angle), Math.cos(angle)]
      }),
    ]
  }
  const sharedOf = remembered(shared)

  /** `count` values of each driver and view; load first. */
  const ofDrivers = (value: (driver: number, view: number) => number[]): number[] =>
    DRIVERS.flatMap((_, driver) => Array.from({ length: DRIVER_VIEWS }, (_, at) => value(driver, at)).flat())

  const dayPrices = (target: DayNumber) => [
    ...sharedOf(target),
    ...hourLags.flatMap((lag) => hoursOf((hour) => toRelative(price(origin(target) - lag, hour), level(target)))),
  ]
  const dayDrivers = (target: DayNumber) =>
    ofDrivers((driver, at) => blocksOf((hour) => (drivers as Drivers).ofHour(target, hour, driver, at)))

  const hourPrices = (target: DayNumber, hour: number) => {
    const [at, base] = [origin(target), level(target)]
    const beside = [Math.max(0, hour - 1), Math.min(HOURS - 1, hour + 1), HOURS - 1]
    const extremes = EXTREME_LAGS.flatMap((lag) => extremesOf(hours, at - lag))
    return [
      ...sharedOf(target),
      ...DAY_LAGS.map((lag) => toRelative(price(at - lag, hour), base)),
      ...beside.map((other) => toRelative(price(at, other), base)),
      ...extremes.map((one) => toRelative(one, base)),
    ]
  }
  const hourDrivers = (target: DayNumber, hour: number) => {
    const places = [hour, Math.max(0, hour - 1), Math.min(HOURS - 1, hour + 1)]
    return ofDrivers((driver, at) => [
      ...places.map((place) => (drivers as Drivers).ofHour(target, place, driver, at)),
      (drivers as Drivers).ofDay(target, driver, at),
    ])
  }

  const swiss = ahead === 1 ? view.fundamentals.neighbours?.CH : undefined
  const swissPrice = (target: DayNumber, day: DayNumber, hour: number) =>
    toRelative(hourOn(swiss as DailyHours, day, hour), level(target))
  const swissMean = (target: DayNumber, day: DayNumber) =>
    hoursOf((hour) => swissPrice(target, day, hour)).reduce((sum, one) => sum + one / HOURS, 0)
  const swissDays = (target: DayNumber) => [target, target - 1]
  const daySwiss = (target: DayNumber) =>
    swissDays(target).flatMap((day) => blocksOf((hour) => swissPrice(target, day, hour)))
  const hourSwiss = (target: DayNumber, hour: number) =>
    swissDays(target).flatMap((day) => [swissPrice(target, day, hour), swissMean(target, day)])

  const sample = firstDay + ahead
  return {
    level,
    day: featureSet([dayPrices, drivers ? dayDrivers : nothing, swiss ? daySwiss : nothing], sample),
    hour: featureSet([hourPrices, drivers ? hourDrivers : nothing, swiss ? hourSwiss : nothing], sample),
  }
}

const nothing = () => []

type Part = (target: DayNumber, hour: number) => number[]

/** Prices, drivers (load first) and neighbours, in this order: without the later ones the earlier keep their places. */
function featureSet(parts: readonly [Part, Part, Part], sample: DayNumber): FeatureSet {
  const [ofPrices, ofDrivers, ofNeighbours] = parts.map((part) => part(sample, 0).length) as [number, number, number]
  const groups = [
    ...Array.from({ length: ofPrices }, (): Group => 'prices'),
    ...Array.from({ length: ofDrivers }, (_, at): Group => (at < ofDrivers / DRIVERS.length ? 'load' : 'weather')),
    ...Array.from({ length: ofNeighbours }, (): Group => 'neighbours'),
  ]
  return {
    columns: groups.length,
    columnsOf: (step) => Int32Array.from(groups.flatMap((group, at) => (GROUPS[step].includes(group) ? [at] : []))),
    fill(row, target, hour) {
      let start = 0
      for (const part of parts) {
        const values = part(target, hour)
        row.set(values, start)
        start += values.length
      }
    },
  }
}

function hoursOf(value: (hour: number) => number): number[] {
  return Array.from({ length: HOURS }, (_, hour) => value(hour))
}

function blocksOf(value: (hour: number) => number): number[] {
  return Array.from({ length: HOURS / BLOCK_HOURS }, (_, block) => {
    let sum = 0
    for (let hour = block * BLOCK_HOURS; hour < (block + 1) * BLOCK_HOURS; hour++) sum += value(hour)
    return sum / BLOCK_HOURS
  })
}

function extremesOf(hours: Float64Array, day: number): [number, number] {
  const own = hours.subarray(Math.max(0, day) * HOURS, Math.max(0, day + 1) * HOURS)
  if (own.length === 0) return [Number.NaN, Number.NaN]
  return [Math.min(...own), Math.max(...own)]
}

/** The 24 hours of a day share most of their features. */
function remembered(rows: (target: DayNumber) => number[]): (target: DayNumber) => number[] {
  const known = new Map<DayNumber, number[]>()
  return (target) => {
    const row = known.get(target) ?? rows(target)
    known.set(target, row)
    return row
  }
}
