/**
 * Hourly weather at the places, and the means of zones and of Italy weighted by installed capacity. An answer is a list of places in the
 * order in which they were requested, each with a grid point nearby. Traps: radiation is the mean of the hour before its time, wind and
 * temperature are those at their time, so the last time only closes the hour before; a value that a model does not reach is null.
 */
import { type FundamentalArea, ITALY, WEATHER_PLACES } from '../../market/fundamentals.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { asFundamental, type FundamentalName, nameOf } from '../reading/fundamental-days.ts'
import { asRecord, type JsonRecord, readJson, shown } from '../reading/json-document.ts'
import { ZoneDays } from '../reading/zone-days.ts'
import { TWO_DAYS_BEFORE, VARIABLES, type WeatherVariable } from './codes.ts'

const HOUR_SECONDS = 3600
/** Farther from the place that was requested, in degrees, a grid point is another place's. */
const DISTANCE_MAX = 0.3

type Values = readonly (number | undefined)[]

export async function* parseOpenMeteo(text: AsyncIterable<string>): Items {
  const answer = await readJson(text)
  const places = Array.isArray(answer) ? answer : []
  if (places.length !== WEATHER_PLACES.length) {
    throw new UnreadableDocument(
      'document',
      `has ${places.length} places, not the ${WEATHER_PLACES.length} that are read`,
    )
  }
  const hourly = places.map((place, index) => hourlyOf(place, index))
  const times = timesOf(hourly)
  const days = new ZoneDays<FundamentalName>()
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const atPlaces = hourly.map((one, index) => valuesOf(one, name, variable, times.length, index))
    for (const [index, { code }] of WEATHER_PLACES.entries()) {
      add(days, nameOf({ series: variable.series, area: code }), times, atPlaces[index] as Values)
    }
    for (const [area, values] of meansOf(atPlaces, variable.weight, times.length - 1)) {
      add(days, nameOf({ series: variable.series, area }), times, values)
    }
  }
  for (const item of days.takeAll()) yield asFundamental(item)
}

function hourlyOf(given: unknown, index: number): { hourly: JsonRecord; units: JsonRecord } {
  const { code, latitude, longitude } = WEATHER_PLACES[index] as (typeof WEATHER_PLACES)[number]
  const place = asRecord(given, code)
  const away = Math.max(Math.abs(Number(place.latitude) - latitude), Math.abs(Number(place.longitude) - longitude))
  if (!(away <= DISTANCE_MAX)) {
    throw new UnreadableDocument(
      code,
      `is at ${shown(place.latitude)}, ${shown(place.longitude)}, not near ${latitude}, ${longitude}`,
    )
  }
  return {
    hourly: asRecord(place.hourly, `${code}, hourly`),
    units: asRecord(place.hourly_units, `${code}, hourly_units`),
  }
}

/** The same at every place, hour by hour. */
function timesOf(hourly: readonly { hourly: JsonRecord }[]): number[] {
  const [first, ...others] = hourly.map(({ hourly: { time } }) => time)
  const isHours =
    Array.isArray(first) && first.length > 1 && first.every((time, i) => time === Number(first[0]) + i * HOUR_SECONDS)
  if (!isHours || Number(first[0]) % HOUR_SECONDS !== 0) {
    throw new UnreadableDocument('hourly.time', 'is not a list of consecutive hours in seconds since 1970')
  }
  if (others.some((times) => JSON.stringify(times) !== JSON.stringify(first))) {
    throw new UnreadableDocument('hourly.time', 'differs between the places')
  }
  return first as number[]
}

/** By the hour that begins at each time but the last. */
function valuesOf(
  { hourly, units }: { hourly: JsonRecord; units: JsonRecord },
  name: string,
  { unit, ofHourBefore }: WeatherVariable,
  count: number,
  index: number,
): Values {
  const column = name in hourly ? name : name + TWO_DAYS_BEFORE
  const place = `${WEATHER_PLACES[index]?.code}, ${column}`
  const values = hourly[column]
  if (!Array.isArray(values) || values.length !== count) {
    throw new UnreadableDocument(place, `is ${shown(values)}, not a list of ${count} values`)
  }
  if (units[column] !== unit) throw new UnreadableDocument(place, `is in ${shown(units[column])}, not in ${unit}`)
  const stated = ofHourBefore ? values.slice(1) : values.slice(0, -1)
  return stated.map((value) => {
    if (value === null) return undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new UnreadableDocument(place, `has ${shown(value)} where a number belongs`)
  })
}

/** Of Italy and each zone; a mean lacks no place that has weight. */
function meansOf(
  atPlaces: readonly Values[],
  weight: WeatherVariable['weight'],
  hours: number,
): Map<FundamentalArea, Values> {
  const areas = new Set<FundamentalArea>([ITALY, ...WEATHER_PLACES.map(({ zone }) => zone)])
  return new Map(
    [...areas].map((area) => {
      const within = WEATHER_PLACES.flatMap((place, index) =>
        (area === ITALY || place.zone === area) && place[weight] > 0 ? [{ index, gw: place[weight] }] : [],
      )
      const total = within.reduce((sum, { gw }) => sum + gw, 0)
      const mean = (hour: number) =>
        within.reduce((sum, { index, gw }) => sum + gw * (atPlaces[index]?.[hour] ?? Number.NaN), 0) / total
      return [area, Array.from({ length: hours }, (_, hour) => orUndefined(mean(hour)))]
    }),
  )
}

function orUndefined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : Math.round(value * 1000) / 1000
}

function add(days: ZoneDays<FundamentalName>, name: FundamentalName, times: readonly number[], values: Values): void {
  values.forEach((value, index) => {
    if (value === undefined) return
    const milliseconds = (times[index] as number) * 1000
    const day = days.open(marketDayOf(Temporal.Instant.fromEpochMilliseconds(milliseconds)).toString(), 60)
    day?.put(name, (milliseconds - day.startMilliseconds) / 3_600_000 + 1, value)
  })
}
