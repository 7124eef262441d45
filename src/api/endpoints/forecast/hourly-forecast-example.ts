/** A short hourly forecast as the documentation shows it; the figures are made up. */
import { intervalStart } from '../../../market/market-day.ts'
import type { HourlyForecast } from '../../contract/hourly-forecasts.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { presentHourlyForecast } from './present-hourly-forecast.ts'

export function exampleHourlyForecast(): HourlyForecast {
  const today = Temporal.PlainDate.from('2026-11-22')
  const interval = {
    ...{ ordinal: 24, hour: 24, price: 104.2, band: 'F3' as const },
    startsAtEpoch: intervalStart(today, 24, 60).epochMilliseconds / 1000,
  }
  const stats = { min: 104.2, max: 104.2, avg: 104.2 }
  const published = { date: today.toString(), intervals: [interval], expected: 24, cheapestHours: [24], stats }
  const ahead = {
    ...{ targetDate: '2026-11-23', model: 'same-hour', version: '1', inputs: 'prices-only' as const },
    ...{ p10: [90.1], p50: [101.2], p90: [113.9] },
  }
  const issue = {
    infoDate: '2026-11-22',
    issuedAt: Temporal.Instant.from('2026-11-21T18:02:11Z'),
    issue: 'evening' as const,
    points: [ahead],
  }
  const sourceIds = ['gme-mgp']
  const zone = 'nord' as const
  const how = { granularity: 'hour' as const, basis: 'live' as const }
  const found = { zone, ...how, issue, ahead: [ahead], shape: undefined, sourceIds }
  return presentHourlyForecast({ ...found, published: { days: [published], stats, sourceIds } }, EXAMPLE_BASE_URL)
}
