/**
 * Features of the hours of a day `ahead` days after the info date, relative to the level of the days up to it. Later than the info date
 * are only the calendar, the forecasts of load, wind and sun, and the prices of markets that clear earlier.
 */
import { DAY_KINDS, type DayNumber, dayKind, weekday } from '../../calendar.ts'
import type { InputStep } from '../../model.ts'
import { RunningMeans } from '../../numeric/running.ts'
import { HOURS, hourOn } from '../history.ts'
import { DRIVER_VIEWS, DRIVERS, driversOf, USUAL_DRIVERS, usualDriversOf } from './drivers.ts'
import { levelOf, toRelative } from './relative-price.ts'
import type { ZoneView } from './zone-view.ts'

/** Days averaged for the level. Chosen on 2018 to 2023. */
const LEVEL_DAYS = 3
const WEEK = 7
const MONTH_DAYS = 28
const YEAR_DAYS = 365
const HARMONIC_DAYS = 365.25
const DAY_LAGS = [0, 1, 2, 3, 4, 5, 6]
/** Lags, from the info date, of days with all 24 hours as features, besides the target's weekday in the last week. */
const HOUR_LAGS = [0, 1, 2]
const EXTREME_LAGS = [0, 1]
const GAS_MOVES_DAYS = [1, 2, 3, 7]
const GAS_MEANS_DAYS = [7, 28]
/** Holiday features of the target and its neighbours; the info date and the same weekday a week earlier have one too. */
const HOLIDAY_OFFSETS = [0, 1, -1]
const HARMONICS = [1, 2]
/** Hours averaged into one daily feature of load, wind, sun or the Swiss price. */
const BLOCK_HOURS = 3
/**
 * Residual load (load less wind and sun) as a share of the week's mean load. Below these levels prices fall towards their floor faster
 * than linearly; one input per level is the shortfall below it.
 */
const LOW_RESIDUALS = [0.35, 0.5, 0.65, 0.8]
const RESIDUAL = DRIVERS.indexOf('residual')
const UNCENTRED_VIEW = 2

/** Groups of features by required input, in column order: omitting later groups does not move the earlier columns. */
const GROUP_ORDER = ['prices', 'load', 'weather', 'neighbours', 'usual'] as const
type Group = (typeof GROUP_ORDER)[number]
const GROUPS: Record<InputStep, readonly Group[]> = {
  everything: ['prices', 'load', 'weather', 'neighbours'],
  'without-neighbours': ['prices', 'load', 'weather'],
  'usual-weather': ['prices', 'load', 'usual'],
  'without-weather': ['prices', 'load'],
  'prices-only': ['prices'],
}

export interface FeatureSet {
  columns: number
  /** Columns that a step uses. */
  columnsOf(step: InputStep): Int32Array
  /** Writes the features of that day, or of that hour of it. */
  fill(row: Float64Array, target: DayNumber, hour: number): void
}

export interface Features {
  /** Level that features and forecasts are relative to, €/MWh. */
  level(target: DayNumber): number
  /** Kinds of days with separate rules: those of `dayKind` for the next day, a single one farther ahead. */
  kinds: { count: number; of(target: DayNumber): number }
  /** Features of a whole day, for one rule with 24 outputs. */
  day: FeatureSet
  /** Features of one hour, for its own rule. */
  hour: FeatureSet
}

/** Features of targets `ahead` days after the last price. */
export function features(view: ZoneView, ahead: number): Features {
  const { firstDay, hours, means, running, gas, holidays } = view
  const origin = (target: DayNumber) => target - ahead - firstDay
  const levelAfter = (day: number) => levelOf(running.ending(day, LEVEL_DAYS))
  const level = (target: DayNumber) => levelAfter(origin(target))
  const price = (day: number, hour: number) => hours[day * HOURS + hour] ?? Number.NaN
  const drivers = driversOf(view, ahead)
  const gasMeans = new RunningMeans(gas.TTF)
  const psvMeans = new RunningMeans(gas.PSV)
  const overGas = new RunningMeans(gas.TTF.map((value, day) => Math.log(levelAfter(day)) - value))
  const sameWeekday = (WEEK - (ahead % WEEK)) % WEEK
  const hourLags = [...new Set([...HOUR_LAGS, sameWeekday])]

  const lows = extremes(hours, Math.min)
  const highs = extremes(hours, Math.max)

  const shared = (target: DayNumber): number[] => {
    const at = origin(target)
    const base = level(target)
    const lastGas = gas.TTF[at] ?? Number.NaN
    const lastPsv = gas.PSV[at] ?? Number.NaN
    return [
      ...DAY_LAGS.map((lag) => toRelative(means[at - lag] ?? Number.NaN, base)),
      Math.log(base / levelOf(running.ending(at, MONTH_DAYS))),
      ...GAS_MOVES_DAYS.map((days) => lastGas - (gas.TTF[at - days] ?? Number.NaN)),
      ...GAS_MEANS_DAYS.map((days) => lastGas - gasMeans.ending(at, days)),
      lastPsv - (gas.PSV[at - 1] ?? Number.NaN),
      lastPsv - psvMeans.ending(at, WEEK),
      overGas.ending(at, 1) - overGas.ending(at, YEAR_DAYS),
      ...Array.from({ length: WEEK }, (_, day) => (weekday(target) === day ? 1 : 0)),
      ...[...HOLIDAY_OFFSETS.map((offset) => target + offset), target - ahead, target - WEEK].map((day) =>
        holidays.has(day) ? 1 : 0,
      ),
      ...HARMONICS.flatMap((harmonic) => {
        const angle = (2 * Math.PI * harmonic * target) / HARMONIC_DAYS
        return [Math.sin(angle), Math.cos(angle)]
      }),
    ]
  }
  const sharedOf = memoiseRows(shared)

  const dayPrices: Part = (add, target) => {
    const [at, base] = [origin(target), level(target)]
    for (const value of sharedOf(target)) add(value)
    for (const lag of hourLags) for (let hour = 0; hour < HOURS; hour++) add(toRelative(price(at - lag, hour), base))
  }
  const hourPrices: Part = (add, target, hour) => {
    const [at, base] = [origin(target), level(target)]
    for (const value of sharedOf(target)) add(value)
    for (const lag of DAY_LAGS) add(toRelative(price(at - lag, hour), base))
    add(toRelative(price(at, Math.max(0, hour - 1)), base))
    add(toRelative(price(at, Math.min(HOURS - 1, hour + 1)), base))
    add(toRelative(price(at, HOURS - 1), base))
    for (const lag of EXTREME_LAGS) {
      add(toRelative(lows[at - lag] ?? Number.NaN, base))
      add(toRelative(highs[at - lag] ?? Number.NaN, base))
    }
  }

  const driver = (target: DayNumber, hour: number, of: number, at: number) =>
    drivers?.ofHour(target, hour, of, at) ?? Number.NaN
  const dayDriver =
    (of: number): Part =>
    (add, target) => {
      for (let at = 0; at < DRIVER_VIEWS; at++) addBlocks(add, (hour) => driver(target, hour, of, at))
    }
  const hourDriver =
    (of: number): Part =>
    (add, target, hour) => {
      for (let at = 0; at < DRIVER_VIEWS; at++) {
        add(driver(target, hour, of, at))
        add(driver(target, Math.max(0, hour - 1), of, at))
        add(driver(target, Math.min(HOURS - 1, hour + 1), of, at))
        add(drivers?.ofDay(target, of, at) ?? Number.NaN)
      }
    }
  const lowResiduals: Part = (add, target, hour) => {
    for (const low of LOW_RESIDUALS) add(Math.max(0, low - driver(target, hour, RESIDUAL, UNCENTRED_VIEW)))
  }

  const swiss = ahead === 1 ? view.fundamentals.neighbours?.CH : undefined
  const swissDay = memoiseRows((key) => {
    const [target, day] = [Math.floor(key / 2), Math.floor(key / 2) - (key % 2)]
    return Array.from({ length: HOURS }, (_, hour) =>
      toRelative(swiss ? hourOn(swiss, day, hour) : Number.NaN, level(target)),
    )
  })
  /** Swiss prices of the target and of the day before it. */
  const swissDays = (target: DayNumber) => [swissDay(2 * target), swissDay(2 * target + 1)]
  const daySwiss: Part = (add, target) => {
    for (const prices of swissDays(target)) addBlocks(add, (hour) => prices[hour] as number)
  }
  const hourSwiss: Part = (add, target, hour) => {
    for (const prices of swissDays(target)) {
      add(prices[hour] as number)
      add(prices.reduce((sum, one) => sum + one / HOURS, 0))
    }
  }

  const usual = usualDriversOf(view, ahead)
  /** Daily means only, because the shape within the day is just that of the season. */
  const usualDays: Part = (add, target) => {
    for (const driver of USUAL_DRIVERS)
      for (let at = 0; at < DRIVER_VIEWS; at++) add(usual?.ofDay(target, driver, at) ?? Number.NaN)
  }

  const weather = DRIVERS.slice(1).map((_, at) => at + 1)
  const given = (isKnown: boolean, ...parts: Part[]) => (isKnown ? parts : [])
  const [hasDrivers, hasSwiss, hasUsual] = [drivers, swiss, usual].map((one) => one !== undefined) as [
    boolean,
    boolean,
    boolean,
  ]
  const sample = firstDay + ahead
  return {
    level,
    kinds: ahead === 1 ? { count: DAY_KINDS, of: (target) => dayKind(target, holidays) } : { count: 1, of: () => 0 },
    day: featureSet(
      {
        prices: [dayPrices],
        load: given(hasDrivers, dayDriver(0)),
        weather: given(hasDrivers, ...weather.map(dayDriver)),
        neighbours: given(hasSwiss, daySwiss),
        usual: given(hasUsual, usualDays),
      },
      sample,
    ),
    hour: featureSet(
      {
        prices: [hourPrices],
        load: given(hasDrivers, hourDriver(0)),
        weather: given(hasDrivers, ...weather.map(hourDriver), lowResiduals),
        neighbours: given(hasSwiss, hourSwiss),
        usual: given(hasUsual, usualDays),
      },
      sample,
    ),
  }
}

/** Adds the columns of one kind for a target, in the same order each time. */
type Part = (add: (value: number) => void, target: DayNumber, hour: number) => void

function featureSet(parts: Record<Group, readonly Part[]>, sample: DayNumber): FeatureSet {
  const inOrder = GROUP_ORDER.flatMap((group) => parts[group])
  const groups = GROUP_ORDER.flatMap((group) =>
    parts[group].flatMap((part) => new Array<Group>(columnsOf(part, sample)).fill(group)),
  )
  return {
    columns: groups.length,
    columnsOf: (step) => Int32Array.from(groups.flatMap((group, at) => (GROUPS[step].includes(group) ? [at] : []))),
    fill(row, target, hour) {
      let place = 0
      const add = (value: number) => {
        row[place++] = value
      }
      for (const part of inOrder) part(add, target, hour)
    },
  }
}

function columnsOf(part: Part, sample: DayNumber): number {
  let count = 0
  part(() => count++, sample, 0)
  return count
}

function addBlocks(add: (value: number) => void, value: (hour: number) => number): void {
  for (let start = 0; start < HOURS; start += BLOCK_HOURS) {
    let sum = 0
    for (let hour = start; hour < start + BLOCK_HOURS; hour++) sum += value(hour)
    add(sum / BLOCK_HOURS)
  }
}

/** The lowest or highest hour of each day. */
function extremes(hours: Float64Array, choose: (a: number, b: number) => number): Float64Array {
  return Float64Array.from({ length: hours.length / HOURS }, (_, day) =>
    hours.subarray(day * HOURS, (day + 1) * HOURS).reduce((a, b) => choose(a, b)),
  )
}

/** Caches rows, because the 24 hours of a day share most of their features. */
function memoiseRows(rows: (key: number) => number[]): (key: number) => number[] {
  const known = new Map<number, number[]>()
  return (key) => {
    const row = known.get(key) ?? rows(key)
    known.set(key, row)
    return row
  }
}
