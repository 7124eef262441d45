/** A short day-ahead day as the documentation shows it. */

import { intervalStart } from '../../../market/market-day.ts'
import type { HourlyDay } from '../../contract/hourly.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { presentHourlyDay } from './present-hourly.ts'

const DAY = Temporal.PlainDate.from('2026-11-21')
const PRICES = [104.2, 99.87, 97.3]

export function exampleHourlyDay(): HourlyDay {
  const intervals = PRICES.map((price, i) => ({
    ordinal: i + 1,
    hour: i + 1,
    startsAtEpoch: intervalStart(DAY, i + 1, 60).epochMilliseconds / 1000,
    price,
    band: 'F3' as const,
  }))
  const day = {
    date: DAY.toString(),
    intervals,
    expected: 24,
    cheapestHours: [3, 2, 1],
    stats: { min: 97.3, max: 104.2, avg: 100.46 },
  }
  return presentHourlyDay({ zone: 'nord', granularity: 'hour', baseUrl: EXAMPLE_BASE_URL }, day, {
    days: [day],
    stats: undefined,
    sourceIds: ['gme-mgp'],
  })
}
