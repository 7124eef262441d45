/**
 * Weather at every place in one request: of days to come the latest run, of the past what runs of two days before had forecast
 * (Previous Runs API), since archives of the shortest lead time know more than anyone knew before the auction.
 */

import { WEATHER_DAYS_AHEAD, WEATHER_PLACES } from '../../market/fundamentals.ts'
import { marketDayOf, startOfMarketDay } from '../../market/market-day.ts'
import type { Secret } from '../../platform/secret.ts'
import { addressBelow, type DaySpan, getDocument } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'
import { TWO_DAYS_BEFORE, VARIABLES } from './codes.ts'

const FORECAST_HOST = 'api.open-meteo.com'
const PREVIOUS_RUNS_HOST = 'previous-runs-api.open-meteo.com'
const PATH = '/v1/forecast'

export function connectOpenMeteo({
  ADDRESS: address,
  OPEN_METEO_API_KEY: key,
}: CommonSettings & { OPEN_METEO_API_KEY?: Secret | undefined }): Way {
  return {
    way: key === undefined ? 'API without a key' : 'API with a key',
    maxDaysPerRequest: 31,
    async *fetch(span, io) {
      const today = marketDayOf(io.clock.now())
      const isPast = Temporal.PlainDate.compare(span.to, today) < 0
      // A run is of all days from today on, so the days that were read before get the newer run too.
      const days: DaySpan = isPast ? span : { from: today, to: today.add({ days: WEATHER_DAYS_AHEAD }) }
      const suffix = isPast ? TWO_DAYS_BEFORE : ''
      const host = isPast ? PREVIOUS_RUNS_HOST : FORECAST_HOST
      const url = addressBelow(address ?? new URL(`https://${key === undefined ? '' : 'customer-'}${host}`), PATH, {
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
    },
  }
}

/** `2026-01-13T23:00` */
function utcHour(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'minute' }).replace('Z', '')
}
