/**
 * Wind and solar output from weather runs: a ridge regression of a day's 24 hours of output on its hours of weather, refitted every four weeks
 * on the output metered by then. It covers the time before the official forecast is published, and days beyond its reach.
 */
import { MARKET_TIME_ZONE } from '../../src/market/market-day.ts'
import { type DayNumber, dayNumber, marketDay } from '../calendar.ts'
import { HOURS } from '../hourly/history.ts'
import type { HoursRevision } from '../hourly/record.ts'
import { applyRule, fitWindows, type LinearRule, lastDays } from '../numeric/windowed-ridge.ts'

export type Plant = 'wind' | 'solar'

/** Weather runs of an area, and the metered output of its plants of one kind. */
export interface OutputInputs {
  /** m/s for wind; W/m² for sun. */
  weather: readonly HoursRevision[]
  /** °C; only for sun. */
  temperature?: readonly HoursRevision[]
  /** MW */
  metered: readonly HoursRevision[]
}

const REFIT_DAYS = 28
/** A day is metered on the day after it. Values that arrive later than this are not learned from: they were not known in time. */
const METERED_AFTER_DAYS = 3
const LEARNED_DAYS = 728
const WINDOWS_DAYS = [364, LEARNED_DAYS]
const PENALTIES = [3, 10, 30]
/** Half a year: sun and wind of one season do not predict those of another. */
const DAYS_MIN = 182
const GROWTH_DAYS = 91
const GROWTH_MIN = 0.7
const GROWTH_MAX = 1.4
/** Training uses the last run of a day before its auction closes. */
const LEARNED_RUN = Temporal.PlainTime.from('12:00')

/** Output by day and run, MW, each known when its run was; none if fewer than half a year of days have weather and output. */
export function outputForecasts(plant: Plant, inputs: OutputInputs, from: DayNumber): HoursRevision[] {
  const rows = trainingRows(plant, inputs)
  const temperatures = inputs.temperature && new Runs(inputs.temperature)
  const rules = new Map<DayNumber, OutputRule | undefined>()
  const ruleOf = (knownOn: DayNumber) => {
    const period = Math.floor(knownOn / REFIT_DAYS) * REFIT_DAYS
    if (!rules.has(period)) rules.set(period, fitRule(rows, period - METERED_AFTER_DAYS))
    return rules.get(period)
  }
  return inputs.weather.flatMap((run) => {
    if (run.day < from) return []
    const row = rowOf(plant, run, temperatures?.at(run.day, run.knownAtMs))
    const rule = row && ruleOf(dayOf(run.knownAtMs))
    if (!row || !rule) return []
    return [{ day: run.day, hours: applyOutput(rule, row), knownAtMs: run.knownAtMs }]
  })
}

interface Rows {
  days: DayNumber[]
  columns: number
  inputs: Float64Array
  targets: Float64Array
}

/** Rows of metered days, each with the last run before its auction. */
function trainingRows(plant: Plant, { weather, temperature, metered }: OutputInputs): Rows {
  const [runs, temperatures] = [new Runs(weather), temperature && new Runs(temperature)]
  const inTime = metered.filter(({ day, knownAtMs }) => dayOf(knownAtMs) < day + METERED_AFTER_DAYS)
  const found = [...new Map(inTime.map((one) => [one.day, one])).values()]
    .sort((a, b) => a.day - b.day)
    .flatMap(({ day, hours }) => {
      const limit = marketDay(day - 1).toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: LEARNED_RUN })
      const run = runs.at(day, limit.epochMilliseconds)
      const row = run && rowOf(plant, run, temperatures?.at(day, limit.epochMilliseconds))
      return row && isComplete(hours) ? [{ day, hours, row }] : []
    })
  const columns = found[0]?.row.length ?? 0
  const rows = {
    days: found.map(({ day }) => day),
    columns,
    inputs: new Float64Array(found.length * columns),
    targets: new Float64Array(found.length * HOURS),
  }
  found.forEach(({ hours, row }, at) => {
    rows.inputs.set(row, at * columns)
    rows.targets.set(hours, at * HOURS)
  })
  return rows
}

interface OutputRule {
  rule: LinearRule
  /** Recent metered output over the rule's output: growth of capacity since the fit. */
  growth: number
}

function fitRule({ days, columns, inputs, targets }: Rows, through: DayNumber): OutputRule | undefined {
  if (columns === 0) return undefined
  const all = Int32Array.from({ length: columns }, (_, column) => column)
  const windows = WINDOWS_DAYS.map((days) => lastDays(days, through))
  const options = { through, windows, penalties: PENALTIES, rowsMin: DAYS_MIN, subsets: [all] }
  const [first, end] = [
    days.findIndex((day) => day > through - LEARNED_DAYS),
    days.findLastIndex((day) => day <= through) + 1,
  ]
  const rows = {
    days: days.slice(first, end),
    columns,
    inputs: inputs.slice(first * columns, end * columns),
    outputs: HOURS,
    targets: targets.subarray(first * HOURS, end * HOURS),
  }
  const [[rule] = []] = fitWindows(rows, options) ?? []
  if (!rule) return undefined
  let [metered, made] = [0, 0]
  days.forEach((day, at) => {
    if (day > through || day <= through - GROWTH_DAYS) return
    metered += sumOf(targets.subarray(at * HOURS, (at + 1) * HOURS))
    made += sumOf(applyOutput({ rule, growth: 1 }, inputs.subarray(at * columns, (at + 1) * columns)))
  })
  const growth = made > 0 ? Math.max(GROWTH_MIN, Math.min(GROWTH_MAX, metered / made)) : 1
  return { rule, growth }
}

function applyOutput({ rule, growth }: OutputRule, row: Float64Array): Float64Array {
  return applyRule(rule, row).map((mw) => Math.max(0, growth * mw))
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Returns undefined if an hour is missing. */
function rowOf(plant: Plant, { day, hours }: HoursRevision, temperature?: HoursRevision): Float64Array | undefined {
  if (!isComplete(hours) || (temperature && !isComplete(temperature.hours))) return undefined
  const weather = Array.from(hours)
  if (plant === 'wind') return Float64Array.from([...weather, ...weather.map(turbineShare)])
  const angle = (2 * Math.PI * day) / 365.25
  const warmth = temperature ? weather.map((radiation, hour) => radiation * (temperature.hours[hour] as number)) : []
  return Float64Array.from([
    ...weather,
    ...blocks(warmth),
    ...blocks(weather.map((radiation) => radiation * Math.sin(angle))),
    ...blocks(weather.map((radiation) => radiation * Math.cos(angle))),
  ])
}

/** Share of its rated power that a turbine delivers at a speed in m/s at the hub: nothing below 3, all from about 13. */
function turbineShare(speed: number): number {
  return 1 / (1 + Math.exp(-(speed - 8.5) / 1.4))
}

/** Means of three hours each. */
function blocks(values: readonly number[]): number[] {
  return Array.from({ length: values.length / 3 }, (_, block) => {
    return ((values[3 * block] as number) + (values[3 * block + 1] as number) + (values[3 * block + 2] as number)) / 3
  })
}

function isComplete(hours: ArrayLike<number>): boolean {
  return hours.length === HOURS && Array.from(hours).every(Number.isFinite)
}

function dayOf(knownAtMs: number): DayNumber {
  return dayNumber(Temporal.Instant.fromEpochMilliseconds(knownAtMs).toZonedDateTimeISO(MARKET_TIME_ZONE).toPlainDate())
}

/** The revisions of each day, in order of when they were known. */
class Runs {
  readonly #byDay = new Map<DayNumber, HoursRevision[]>()

  constructor(revisions: readonly HoursRevision[]) {
    for (const revision of revisions) {
      const own = this.#byDay.get(revision.day)
      if (own) own.push(revision)
      else this.#byDay.set(revision.day, [revision])
    }
    for (const own of this.#byDay.values()) own.sort((a, b) => a.knownAtMs - b.knownAtMs)
  }

  /** Returns the last revision of the day that was known by then. */
  at(day: DayNumber, limitMs: number): HoursRevision | undefined {
    return this.#byDay.get(day)?.findLast(({ knownAtMs }) => knownAtMs <= limitMs)
  }
}
