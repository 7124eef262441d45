/** Real hourly prices of zones and their drivers, from files outside the checkout, as an hourly model sees them at one issue. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { clockHours } from '../../models/clock-hours.ts'
import { type History, historyAt, type Series } from '../../models/history.ts'
import {
  type DailyHours,
  type Fundamentals,
  HOURS,
  type HourlyHistory,
  type HourlyPrices,
} from '../../models/hourly/history.ts'
import { usualOutput } from '../../models/output/usual-output.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { hourlyPrices } from './invented-hours.ts'
import { realPrices } from './real-prices.ts'
import { sharedData } from './shared-data.ts'

const ZONE_FILES = ['power/gme_mgp_zonal_hourly_2022.csv.gz', 'power/gme_mgp_zonal_hourly_2023-01_2024-12.csv.gz']
const LOAD_FILE = 'fundamentals/italy_load_generation_hourly_2015_2023.csv.gz'
const WEATHER_FILE = 'fundamentals/italy_res_forecast_simulated_2015_2023.csv.gz'
const PUBLISHED_FILE = 'fundamentals/entsoe_day_ahead_forecasts_hourly_2022_2023.csv.gz'
const NEIGHBOUR_FILE = 'neighbours/neighbour_day_ahead_hourly_2020_2023.csv.gz'
const DATES = { flow_date: 0 }

export interface RealHours {
  /** Everything ever published. */
  all: History
  prices(zone: ZoneCode): HourlyPrices
  /**
   * Day-ahead forecasts of load, wind and solar for Italy. From 2022: as published, with errors of 22 to 29 % (wind) and 19 to 21 % (solar).
   * Before 2022, wind and solar are simulated with errors of 11 % and 9 %.
   */
  drivers: Required<Pick<Fundamentals, 'load' | 'wind' | 'solar'>>
  /** Seasonal wind and solar output, as known in the evening before each day; missing until a year has been metered. */
  usual(): Required<Fundamentals>['usual']
  /** Actual output, MW: onshore and offshore wind, metered solar. */
  actual: { wind: DailyHours; solar: DailyHours }
  swiss: DailyHours
}

/** Returns undefined if the files are absent. */
export function realHours(from: string): RealHours | undefined {
  const record = realPrices(from)
  const files = [...ZONE_FILES, LOAD_FILE, WEATHER_FILE, PUBLISHED_FILE, NEIGHBOUR_FILE].map(sharedData)
  if (!record || files.includes(undefined)) return undefined
  const [zones2022, zones2023, load, weather, published, neighbours] = files as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const all = historyAt(record, Temporal.Instant.from('2100-01-01T00:00:00Z'))
  const { PUN } = all.series
  const national: HourlyPrices = { firstDay: PUN.firstDay, values: PUN.hours as Float64Array, means: PUN.prices }
  const known = new Map<ZoneCode, HourlyPrices>([['nazionale', national]])
  const actual = {
    wind: sumOf(column([load], 'wind_onshore_mw'), column([load], 'wind_offshore_mw')),
    solar: column([load], 'solar_mw'),
  }
  return {
    all,
    prices(zone) {
      const made = known.get(zone) ?? zonePrices([zones2022, zones2023], zone)
      known.set(zone, made)
      return made
    },
    drivers: {
      load: joinSeries(column([load], 'load_forecast_mw'), column([published], 'load_forecast_mw')),
      wind: joinSeries(column([weather], 'wind_forecast_sim_mw'), column([published], 'wind_forecast_mw')),
      solar: joinSeries(column([weather], 'solar_forecast_sim_mw'), column([published], 'solar_forecast_mw')),
    },
    actual,
    usual: () => ({ wind: usualOf(actual.wind), solar: usualOf(actual.solar) }),
    swiss: column([neighbours], 'ch'),
  }
}

/** Joins two series: the earlier one up to the first day of the later one. */
function joinSeries(earlier: DailyHours, later: DailyHours): DailyHours {
  const before = (later.firstDay - earlier.firstDay) * HOURS
  return {
    firstDay: earlier.firstDay,
    values: Float64Array.from([...earlier.values.subarray(0, before), ...later.values]),
  }
}

/** Adds two series; offshore wind does not exist before 2022. */
function sumOf({ firstDay, values }: DailyHours, more: DailyHours): DailyHours {
  return { firstDay, values: values.map((mw, at) => mw + (more.values[at] || 0)) }
}

/** Assumes that metered days are published the next morning. */
function usualOf({ firstDay, values }: DailyHours): DailyHours {
  const days = Array.from({ length: values.length / HOURS }, (_, at) => firstDay + at)
  const metered = days.map((day) => {
    const at = (day - firstDay) * HOURS
    return { day, hours: values.subarray(at, at + HOURS), knownAtMs: hourOf(day + 1, 9) }
  })
  const usual = new Float64Array(values.length).fill(Number.NaN)
  for (const { day, hours, knownAtMs } of usualOutput(
    metered.filter(({ hours }) => !hours.some(Number.isNaN)),
    firstDay,
  ))
    if (knownAtMs <= hourOf(day - 1, 20) && day - firstDay < days.length) usual.set(hours, (day - firstDay) * HOURS)
  return { firstDay, values: usual }
}

function hourOf(day: DayNumber, hour: number): number {
  return marketDay(day).toZonedDateTime({ timeZone: 'Europe/Rome', plainTime: { hour } }).epochMilliseconds
}

function zonePrices(files: readonly string[], zone: ZoneCode): HourlyPrices {
  const { firstDay, values } = column(files, zone)
  return hourlyPrices(firstDay, values)
}

/** Reads a column of files whose lines are in chronological order; skips incomplete days. */
function column(files: readonly string[], name: string): DailyHours {
  const days = new Map<string, number[]>()
  for (const file of files) {
    const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
    const place = header.trim().split(',').indexOf(name)
    if (place < 0) throw new Error(`${file} has no column ${name}`)
    for (const line of lines) {
      const cells = line.trim().split(',')
      const cell = cells[place]
      const hours = days.get(cells[DATES.flow_date] as string) ?? []
      hours.push(cell === undefined || cell === '' ? Number.NaN : Number(cell))
      days.set(cells[DATES.flow_date] as string, hours)
    }
  }
  const entries = [...days].map(([date, hours]) => [dayNumber(Temporal.PlainDate.from(date)), hours] as const)
  const firstDay = Math.min(...entries.map(([day]) => day))
  const last = Math.max(...entries.map(([day]) => day))
  const values = new Float64Array((last - firstDay + 1) * HOURS).fill(Number.NaN)
  for (const [day, hours] of entries)
    if (hours.length >= HOURS - 1) values.set(clockHours(hours), (day - firstDay) * HOURS)
  return { firstDay, values }
}

export interface IssueView {
  zone: ZoneCode
  /** The last day with a price. */
  info: DayNumber
  /** The available inputs, and how many days after the info date they reach. */
  drivers?: Fundamentals
  ahead: number
  /** At midday, gas prices are known up to one day less than in the evening. */
  isMidday?: boolean
}

/** Data known at the issue: prices up to the info date, gas as published then, forecasts as far as they reach. */
export function hourlyHistoryAt(
  real: RealHours,
  { zone, info, drivers = {}, ahead, isMidday = false }: IssueView,
): HourlyHistory {
  const kinds = { PSV: isMidday ? info - 1 : info, TTF: isMidday ? info - 2 : info - 1 }
  const knownAt = usualPublication('PUN', marketDay(info))
  const { all } = real
  const cut = (series: Series, last: DayNumber): Series => ({
    firstDay: series.firstDay,
    prices: series.prices.subarray(0, Math.max(0, last - series.firstDay + 1)),
  })
  return {
    knownAt,
    zone,
    prices: pricesThrough(real.prices(zone), info),
    national: pricesThrough(real.prices('nazionale'), info),
    gas: { PSV: cut(all.series.PSV, kinds.PSV), TTF: cut(all.series.TTF, kinds.TTF) },
    holidays: all.holidays,
    fundamentals: fundamentalsThrough(drivers, info + ahead),
  }
}

export function pricesThrough({ firstDay, values, means }: HourlyPrices, last: DayNumber): HourlyPrices {
  const days = Math.max(0, last - firstDay + 1)
  return { firstDay, values: values.subarray(0, days * HOURS), means: means.subarray(0, days) }
}

function fundamentalsThrough({ neighbours, usual, ...own }: Fundamentals, last: DayNumber): Fundamentals {
  const through = (all: object) =>
    Object.fromEntries(
      Object.entries(all as Record<string, DailyHours>).map(([name, { firstDay, values }]) => [
        name,
        { firstDay, values: values.subarray(0, Math.max(0, last - firstDay + 1) * HOURS) },
      ]),
    )
  return {
    ...through(own),
    ...(usual && { usual: through(usual) as typeof usual }),
    ...(neighbours && { neighbours: through(neighbours) }),
  }
}
