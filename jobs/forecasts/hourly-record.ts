/** Converts versions from the database to the hourly record that the models use. */

import { type DayNumber, dayNumber } from '../../models/calendar.ts'
import { clockHours } from '../../models/clock-hours.ts'
import { HOURS, NEIGHBOURS, type Neighbour } from '../../models/hourly/history.ts'
import {
  type FundamentalsRecord,
  type HourlyRecord,
  type HoursRevision,
  hoursRevision,
} from '../../models/hourly/record.ts'
import { outputForecasts } from '../../models/output/output.ts'
import { usualOutput } from '../../models/output/usual-output.ts'
import { HOURLY_DRIVERS, OUTPUT_INPUTS } from '../../src/market/forecast-scope.ts'
import { type FundamentalArea, type FundamentalSeries, ITALY } from '../../src/market/fundamentals.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import { zoneRevisions } from './price-record.ts'
import type { HourlyInputs } from './task.ts'

/** `outputFrom`: the first day whose output is computed from weather runs; each day takes a while. */
export function hourlyRecord({ versions, fundamentals }: HourlyInputs, outputFrom?: MarketDay): HourlyRecord {
  const zones = Object.entries(versions) as [ZoneCode, NonNullable<HourlyInputs['versions'][ZoneCode]>][]
  const revisions = zones.map(([zone, own]) => [zone, zoneRevisions(own)] as const)
  const revisionsByKey = new Map(
    Map.groupBy(fundamentals, ({ series, area }) => keyOf(series, area))
      .entries()
      .map(([key, all]) => [key, all.map(revisionOf)]),
  )
  const of: SeriesOf = (series, area) => revisionsByKey.get(keyOf(series, area)) ?? []
  const from = outputFrom === undefined ? 0 : dayNumber(outputFrom)
  const national = driversOf(of, ITALY, from)
  const drivers = [NATIONAL_ZONE as ZoneCode, ...zones.map(([zone]) => zone)].map(
    (zone) => [zone, fundamentalsOf(of, zone, national, from)] as const,
  )
  return { zones: Object.fromEntries(revisions), fundamentals: Object.fromEntries(drivers) }
}

type SeriesOf = (series: FundamentalSeries, area: FundamentalArea) => HoursRevision[]
type Driver = 'load' | 'wind' | 'solar'
type Drivers = Record<Driver, HoursRevision[]> & { usual: Record<'wind' | 'solar', HoursRevision[]> }

const keyOf = (series: FundamentalSeries, area: FundamentalArea) => `${series}/${area}`

/** Drivers of an area: official forecasts, and output from weather runs, which is available earlier and for more days. */
function driversOf(of: SeriesOf, area: FundamentalArea, from: DayNumber): Drivers {
  const { wind, solar } = OUTPUT_INPUTS
  const winds = { weather: of(wind.weather, area), metered: of(wind.metered, area) }
  const temperature = of(solar.temperature, area)
  const sun = { weather: of(solar.weather, area), temperature, metered: of(solar.metered, area) }
  return {
    load: of(HOURLY_DRIVERS.load, area),
    wind: [...of(HOURLY_DRIVERS.wind, area), ...outputForecasts('wind', winds, from)],
    solar: [...of(HOURLY_DRIVERS.solar, area), ...outputForecasts('solar', sun, from)],
    usual: { wind: usualOutput(winds.metered, from), solar: usualOutput(sun.metered, from) },
  }
}

/** Returns the zone's own series if it has an official one, else Italy's. */
function fundamentalsOf(of: SeriesOf, zone: ZoneCode, national: Drivers, from: DayNumber): FundamentalsRecord {
  const official = (['load', 'wind', 'solar'] as const).filter(
    (name) => zone !== NATIONAL_ZONE && of(HOURLY_DRIVERS[name], zone).length > 0,
  )
  const own = zone === NATIONAL_ZONE || official.length === 0 ? national : driversOf(of, zone, from)
  const driver = (name: Driver) => (official.includes(name) ? own : national)[name]
  const { usual } = official.includes('wind') && official.includes('solar') ? own : national
  const neighbours = NEIGHBOURS.map((market: Neighbour) => [market, of(HOURLY_DRIVERS.neighbours, market)] as const)
  return {
    ...present('load', driver('load')),
    ...present('wind', driver('wind')),
    ...present('solar', driver('solar')),
    ...(usual.wind.length > 0 && usual.solar.length > 0 && { usual }),
    neighbours: Object.fromEntries(neighbours.filter(([, known]) => known.length > 0)),
  }
}

function present<Name extends string>(name: Name, revisions: HoursRevision[]) {
  return revisions.length === 0 ? {} : { [name]: revisions }
}

/** Reuses the values of most days: copies would number tens of thousands. */
function revisionOf({ day, values, knownAtMs }: FundamentalVersion): HoursRevision {
  const hours = values.length === HOURS ? values : clockHours(values)
  return hoursRevision(Temporal.PlainDate.from(day), hours, knownAtMs)
}
