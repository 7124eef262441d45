/** Invented hours of a zone: a daily and a weekly shape, and noise that is reproducible by seed. */
import { dayNumber, weekday } from '../../models/calendar.ts'
import { type Fundamentals, HOURS, type HourlyHistory, type HourlyPrices } from '../../models/hourly/history.ts'
import { seededRandom } from '../../models/numeric/random.ts'
import type { ZoneCode } from '../../src/market/zones.ts'

export interface SyntheticHoursOptions {
  zone?: ZoneCode
  from?: string
  days?: number
  seed?: number
  change?: (price: number, day: number, hour: number) => number
  fundamentals?: Fundamentals
}

export function syntheticHours({
  zone = 'nazionale',
  from = '2025-01-01',
  days = 240,
  seed = 1,
  change = (price) => price,
  fundamentals = {},
}: SyntheticHoursOptions = {}): HourlyHistory {
  const random = seededRandom(seed)
  const firstDay = dayNumber(Temporal.PlainDate.from(from))
  const values = new Float64Array(days * HOURS)
  for (let i = 0; i < values.length; i++) {
    const [day, hour] = [Math.floor(i / HOURS), i % HOURS]
    const shape = 100 + 25 * Math.sin(((hour - 6) / HOURS) * 2 * Math.PI) - (weekday(firstDay + day) > 4 ? 15 : 0)
    values[i] = change(shape + 10 * (random() - 0.5), day, hour)
  }
  const prices = hourlyPrices(firstDay, values)
  const none = { firstDay: 0, prices: new Float64Array(0) }
  return {
    knownAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
    zone,
    prices,
    national: prices,
    gas: { PSV: none, TTF: none },
    holidays: new Set(),
    fundamentals,
  }
}

export function hourlyPrices(firstDay: number, values: Float64Array): HourlyPrices {
  const means = Float64Array.from({ length: values.length / HOURS }, (_, day) => {
    const hours = values.subarray(day * HOURS, (day + 1) * HOURS)
    return hours.reduce((sum, price) => sum + price, 0) / HOURS
  })
  return { firstDay, values, means }
}
