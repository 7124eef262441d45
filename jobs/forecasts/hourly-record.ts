/** The record of hours as the models take it, from the versions in the database. */

import { dayNumber } from '../../models/calendar.ts'
import { clockHours } from '../../models/clock-hours.ts'
import { NEIGHBOURS, type Neighbour } from '../../models/hourly/history.ts'
import {
  type FundamentalsRecord,
  type HourlyRecord,
  type HoursRevision,
  hoursRevision,
} from '../../models/hourly/record.ts'
import { outputForecasts } from '../../models/output/output.ts'
import { HOURLY_DRIVERS, OUTPUT_INPUTS } from '../../src/market/forecast-scope.ts'
import { type FundamentalArea, type FundamentalSeries, ITALY } from '../../src/market/fundamentals.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import { zoneRevisions } from './price-record.ts'
import type { HourlyInputs } from './task.ts'

/** `outputFrom`: the first day whose output is worked out from weather runs; each takes a while. */
export function hourlyRecord({ versions, fundamentals }: HourlyInputs, outputFrom?: MarketDay): HourlyRecord {
  const zones = Object.entries(versions) as [ZoneCode, NonNullable<HourlyInputs['versions'][ZoneCode]>][]
  const revisions = zones.map(([zone, own]) => [zone, zoneRevisions(own)] as const)
  const outputs = outputsOf(fundamentals, outputFrom)
  const drivers = [NATIONAL_ZONE as ZoneCode, ...zones.map(([zone]) => zone)].map(
    (zone) => [zone, fundamentalsOf(fundamentals, zone, outputs)] as const,
  )
  return { zones: Object.fromEntries(revisions), fundamentals: Object.fromEntries(drivers) }
}

/** Italy's, from weather runs: known before the official forecast, and of days that it does not reach. */
function outputsOf(versions: readonly FundamentalVersion[], outputFrom: MarketDay | undefined) {
  const of = (series: FundamentalSeries) =>
    versions.filter((one) => one.series === series && one.area === ITALY).map(revisionOf)
  const from = outputFrom === undefined ? 0 : dayNumber(outputFrom)
  const { wind, solar } = OUTPUT_INPUTS
  return {
    wind: outputForecasts('wind', { weather: of(wind.weather), metered: of(wind.metered) }, from),
    solar: outputForecasts(
      'solar',
      { weather: of(solar.weather), temperature: of(solar.temperature), metered: of(solar.metered) },
      from,
    ),
  }
}

/** The zone's own series where there is one, else Italy's. */
function fundamentalsOf(
  versions: readonly FundamentalVersion[],
  zone: ZoneCode,
  outputs: Record<'wind' | 'solar', readonly HoursRevision[]>,
): FundamentalsRecord {
  const of = (series: FundamentalSeries, area: FundamentalArea) =>
    versions.filter((one) => one.series === series && one.area === area).map(revisionOf)
  const own = (name: 'load' | 'wind' | 'solar'): HoursRevision[] => {
    const zonal = zone === NATIONAL_ZONE ? [] : of(HOURLY_DRIVERS[name], zone)
    if (zonal.length > 0) return zonal
    return [...of(HOURLY_DRIVERS[name], ITALY), ...(name === 'load' ? [] : outputs[name])]
  }
  const neighbours = NEIGHBOURS.map((market: Neighbour) => [market, of(HOURLY_DRIVERS.neighbours, market)] as const)
  return {
    ...present('load', own('load')),
    ...present('wind', own('wind')),
    ...present('solar', own('solar')),
    neighbours: Object.fromEntries(neighbours.filter(([, known]) => known.length > 0)),
  }
}

function present<Name extends string>(name: Name, revisions: HoursRevision[]) {
  return revisions.length === 0 ? {} : { [name]: revisions }
}

function revisionOf({ day, values, knownAtMs }: FundamentalVersion): HoursRevision {
  return hoursRevision(Temporal.PlainDate.from(day), clockHours(values), knownAtMs)
}
