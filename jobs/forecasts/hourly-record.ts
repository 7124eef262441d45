/** The record of hours as the models take it, from the versions in the database. */

import { clockHours } from '../../models/clock-hours.ts'
import { NEIGHBOURS, type Neighbour } from '../../models/hourly/history.ts'
import {
  type FundamentalsRecord,
  type HourlyRecord,
  type HoursRevision,
  hoursRevision,
} from '../../models/hourly/record.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import { zoneRevisions } from './price-record.ts'
import type { FundamentalVersion, HourlyInputs } from './task.ts'

/** The area of a series that is of the whole country. */
const ITALY = 'IT'

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
  const of = (series: FundamentalVersion['series'], area: string) =>
    versions.filter((one) => one.series === series && one.area === area).map(revisionOf)
  const own = (series: 'load' | 'wind' | 'solar'): HoursRevision[] => {
    const zonal = zone === NATIONAL_ZONE ? [] : of(series, zone)
    return zonal.length > 0 ? zonal : of(series, ITALY)
  }
  const neighbours = NEIGHBOURS.map((market: Neighbour) => [market, of('neighbour', market)] as const)
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
