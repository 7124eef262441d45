/** The record of hours as the models take it, from the versions in the database. */

import { clockHours } from '../../models/clock-hours.ts'
import { NEIGHBOURS, type Neighbour } from '../../models/hourly/history.ts'
import {
  type FundamentalsRecord,
  type HourlyRecord,
  type HoursRevision,
  hoursRevision,
} from '../../models/hourly/record.ts'
import { HOURLY_DRIVERS } from '../../src/market/forecast-scope.ts'
import { type FundamentalArea, type FundamentalSeries, ITALY } from '../../src/market/fundamentals.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import { zoneRevisions } from './price-record.ts'
import type { HourlyInputs } from './task.ts'

export function hourlyRecord({ versions, fundamentals }: HourlyInputs): HourlyRecord {
  const zones = Object.entries(versions) as [ZoneCode, NonNullable<HourlyInputs['versions'][ZoneCode]>][]
  const revisions = zones.map(([zone, own]) => [zone, zoneRevisions(own)] as const)
  const drivers = [NATIONAL_ZONE as ZoneCode, ...zones.map(([zone]) => zone)].map(
    (zone) => [zone, fundamentalsOf(fundamentals, zone)] as const,
  )
  return { zones: Object.fromEntries(revisions), fundamentals: Object.fromEntries(drivers) }
}

/** The zone's own series where there is one, else Italy's. */
function fundamentalsOf(versions: readonly FundamentalVersion[], zone: ZoneCode): FundamentalsRecord {
  const of = (series: FundamentalSeries, area: FundamentalArea) =>
    versions.filter((one) => one.series === series && one.area === area).map(revisionOf)
  const own = (name: 'load' | 'wind' | 'solar'): HoursRevision[] => {
    const zonal = zone === NATIONAL_ZONE ? [] : of(HOURLY_DRIVERS[name], zone)
    return zonal.length > 0 ? zonal : of(HOURLY_DRIVERS[name], ITALY)
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
