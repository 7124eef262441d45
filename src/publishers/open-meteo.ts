/**
 * Weather forecasts for wind and solar output: hourly wind at 100 m, radiation and temperature at places that represent the installed
 * capacity, and capacity-weighted means for the zones and Italy. One request covers all places. Future days use the latest run; past days
 * use the forecasts of runs two days earlier (Previous Runs API), since archives of the shortest lead time contain more than was available
 * before the auction.
 *
 * A response lists the places in the requested order, each with a nearby grid point. Traps: radiation is the mean over the hour before its
 * timestamp, while wind and temperature are values at it, so the last timestamp only closes the hour before; values that a model does not
 * reach are null.
 */
import {
  type FundamentalArea,
  type FundamentalSeries,
  ITALY,
  WEATHER_DAYS_AHEAD,
  WEATHER_PLACES,
} from '../market/fundamentals.ts'
import { marketDayOf, startOfMarketDay } from '../market/market-day.ts'
import { earlierOf, isBefore } from '../market/time-order.ts'
import type { Secret } from '../platform/secret.ts'
import { textDocument } from './documents.ts'
import { UnreadableDocument } from './faults.ts'
import { type DaySpan, type FetchIo, getDocument, joinUrl } from './fetch-days.ts'
import type { Items } from './observations.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { asRecord, type JsonRecord, readJson, shown } from './reading/json-document.ts'
import { asFundamental, type FundamentalName, fundamentalName, ZoneDays } from './reading/zone-days.ts'
import { type CommonSettings, credential } from './settings.ts'

interface WeatherVariable {
  series: FundamentalSeries
  unit: string
  /** Whether values are means over the hour before their timestamp, instead of values at it. */
  isPrecedingHourMean: boolean
  /** Weights of a zone's mean. */
  weight: 'windGw' | 'solarGw'
}

export const VARIABLES: Readonly<Record<string, WeatherVariable>> = {
  wind_speed_100m: { series: 'wind-speed', unit: 'm/s', isPrecedingHourMean: false, weight: 'windGw' },
  shortwave_radiation: { series: 'solar-radiation', unit: 'W/m²', isPrecedingHourMean: true, weight: 'solarGw' },
  temperature_2m: { series: 'temperature', unit: '°C', isPrecedingHourMean: false, weight: 'solarGw' },
}

/** Suffix for past days: forecasts of a run two days before each hour, all known by the morning of the day before. */
export const PREVIOUS_RUN_SUFFIX = '_previous_day2'

export const openMeteo = publisher({
  id: 'open-meteo',
  name: 'Open-Meteo',
  url: 'https://open-meteo.com',
  terms:
    'Free for non-commercial use within 10,000 requests a day, CC BY 4.0; commercial use needs a subscription and its key.',
  redistributable: true,
  priority: 10,
  delivers: 'forecast wind, radiation and temperature at 16 places, and their means by zone',
  fundamentals: [
    { series: 'wind-speed', area: 'IT' },
    { series: 'solar-radiation', area: 'IT' },
    { series: 'temperature', area: 'IT' },
  ],
  // Two days ahead, so that every morning's run is read in time for the forecasts of that day and of the next.
  publishes: { days: -2, time: '10:40' },
  lateAt: { days: -2, time: '14:00' },
  fetching: {
    readFrom: 'the forecast API; of the past the Previous Runs API',
    refetchAt: { days: -2, time: '10:40' }, // each fetch completes a week of days, with yesterday's run
    pausesMinutes: [10, 20, 60],
    historyFrom: '2024-02-01',
    politeness: { minIntervalMs: 2_000, requestsPerDay: 500 }, // a request counts once for each place and fortnight
    variables: { OPEN_METEO_API_KEY: credential("key of Open-Meteo's customer API, for commercial use") },
    connect: connectOpenMeteo,
  },
  documents: [
    textDocument({
      kind: 'open-meteo-json',
      about: 'JSON of its forecast and Previous Runs APIs for the places, hourly',
      recognise: ({ json = '' }) => /"hourly_units"\s*:/.test(json),
      parse: parseOpenMeteo,
    }),
  ],
})

const FORECAST_HOST = 'api.open-meteo.com'
const PREVIOUS_RUNS_HOST = 'previous-runs-api.open-meteo.com'
const PATH = '/v1/forecast'

function connectOpenMeteo({
  ADDRESS: address,
  OPEN_METEO_API_KEY: key,
}: CommonSettings & { OPEN_METEO_API_KEY?: Secret | undefined }): FetchMethod {
  return {
    way: key === undefined ? 'API without a key' : 'API with a key',
    maxDaysPerRequest: 31,
    async *fetch(span, io) {
      const today = marketDayOf(io.clock.now())
      // Forecasts of past days do not change. A reread that includes them would replace the newer runs stored while they were ahead.
      if (isBefore(span.to, today) || (isBefore(span.from, today) && !io.conditional)) {
        yield* fetchPart({ from: span.from, to: earlierOf(span.to, today.subtract({ days: 1 })) }, true, io)
      }
      // A run covers all days from today on, so days fetched before are updated with the newer run too.
      if (!isBefore(span.to, today)) {
        yield* fetchPart({ from: today, to: today.add({ days: WEATHER_DAYS_AHEAD }) }, false, io)
      }
    },
  }

  async function* fetchPart(days: DaySpan, isPast: boolean, io: FetchIo) {
    const suffix = isPast ? PREVIOUS_RUN_SUFFIX : ''
    const host = isPast ? PREVIOUS_RUNS_HOST : FORECAST_HOST
    const url = joinUrl(address ?? new URL(`https://${key === undefined ? '' : 'customer-'}${host}`), PATH, {
      latitude: WEATHER_PLACES.map(({ latitude }) => latitude).join(','),
      longitude: WEATHER_PLACES.map(({ longitude }) => longitude).join(','),
      hourly: Object.keys(VARIABLES)
        .map((name) => name + suffix)
        .join(','),
      wind_speed_unit: 'ms',
      timezone: 'GMT',
      timeformat: 'unixtime',
      start_hour: utcHour(startOfMarketDay(days.from)),
      end_hour: utcHour(startOfMarketDay(days.to.add({ days: 1 }))),
    })
    const request = { conditional: false, ...(key && { secretQuery: { apikey: key } }) }
    const document = await getDocument(url, { name: `weather_${days.from}.json`, days }, io, request)
    if (document) yield document
  }
}

/** `2026-01-13T23:00` */
function utcHour(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'minute' }).replace('Z', '')
}

const HOUR_SECONDS = 3600
/** In degrees. A grid point further from the requested place than this belongs to another place. */
const DISTANCE_MAX = 0.3

type Values = readonly (number | undefined)[]

async function* parseOpenMeteo(text: AsyncIterable<string>): Items {
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
      add(days, fundamentalName({ series: variable.series, area: code }), times, atPlaces[index] as Values)
    }
    for (const [area, values] of meansOf(atPlaces, variable.weight, times.length - 1)) {
      add(days, fundamentalName({ series: variable.series, area }), times, values)
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

/** Returns the timestamps: consecutive hours, the same at every place. */
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

/** Returns a value for each hour that begins at a timestamp, except the last timestamp. */
function valuesOf(
  { hourly, units }: { hourly: JsonRecord; units: JsonRecord },
  name: string,
  { unit, isPrecedingHourMean }: WeatherVariable,
  count: number,
  index: number,
): Values {
  const column = name in hourly ? name : name + PREVIOUS_RUN_SUFFIX
  const place = `${WEATHER_PLACES[index]?.code}, ${column}`
  const values = hourly[column]
  if (!Array.isArray(values) || values.length !== count) {
    throw new UnreadableDocument(place, `is ${shown(values)}, not a list of ${count} values`)
  }
  if (units[column] !== unit) throw new UnreadableDocument(place, `is in ${shown(units[column])}, not in ${unit}`)
  const stated = isPrecedingHourMean ? values.slice(1) : values.slice(0, -1)
  return stated.map((value) => {
    if (value === null) return undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new UnreadableDocument(place, `has ${shown(value)} where a number belongs`)
  })
}

/** Returns the means of Italy and each zone; undefined unless every place with a weight has a value. */
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
      return [area, Array.from({ length: hours }, (_, hour) => roundUnlessNaN(mean(hour)))]
    }),
  )
}

function roundUnlessNaN(value: number): number | undefined {
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
