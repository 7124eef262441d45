/** Prices for analysts' questions whose answers the tests compute themselves: both change days, equal hours, a correction. */
import { expect } from 'vitest'
import { intervalStart, intervalsInMarketDay } from '../../src/market/market-day.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { databaseOfFile, type TestDatabase } from './database.ts'
import { fundamentalDay, storeFundamentals } from './fundamentals.ts'
import { dailyPrice, daysBetween, storePrices, zoneDay } from './prices.ts'

export const FIRST = '2026-02-20'
export const LAST = '2026-03-31'
export const MARCH = '2026-03-29'
export const OCTOBER = '2026-10-25'
export const HALF_CENT_DAY = '2025-11-05'
const CORRECTED_AT = '2026-11-01T00:00:00Z'

/** A price that differs by zone, day and hour; in some hours `nord` equals the other zones. */
export function hourPrice(zone: string, day: string, hour: number): number {
  const date = Temporal.PlainDate.from(day)
  const base = 80 + 20 * Math.sin(date.dayOfYear / 5) + hour
  if (zone === 'nazionale') return base
  return zone === 'nord' ? base + 2 : base + (hour % 3 === 0 ? 2 : -hour / 4)
}

interface Hour {
  day: string
  hour: number
  clockHour: number
  price: number
}

export function hoursOf(zone: string, days: readonly string[]): Hour[] {
  return days.flatMap((day) => {
    const date = Temporal.PlainDate.from(day)
    return Array.from({ length: intervalsInMarketDay(date, 60) }, (_, i) => ({
      day,
      hour: i + 1,
      clockHour: intervalStart(date, i + 1, 60).toZonedDateTimeISO('Europe/Rome').hour,
      price: hourPrice(zone, day, i + 1),
    }))
  })
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
export const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1))
export const dayMean = (zone: string, day: string) => mean(hoursOf(zone, [day]).map(({ price }) => price))

export const SPAN = daysBetween(FIRST, LAST)

export const closeTo = (value: number) => expect.closeTo(value, 8)

/** A database with these prices. */
export async function analystDatabase(): Promise<TestDatabase> {
  const db = await databaseOfFile()
  const { sql } = db.database
  const zoneDays = (days: readonly string[]) =>
    (['nazionale', 'nord', 'sud'] as const).flatMap((zone) =>
      days.map((day) =>
        zone === 'nord'
          ? zoneDay(zone, day, 15, (quarter) => hourPrice(zone, day, Math.ceil(quarter / 4)))
          : zoneDay(zone, day, 60, (hour) => hourPrice(zone, day, hour)),
      ),
    )
  await storePrices(sql, [
    ...zoneDays([...SPAN, OCTOBER, '2025-03-29', '2025-03-30']),
    zoneDay('sici', HALF_CENT_DAY, 15, (quarter) => (quarter % 4 === 0 ? 63.23 : 63.21)),
    zoneDay('cala', HALF_CENT_DAY, 15, () => 63.21),
    dailyPrice('PSV', '2026-03-27', 40),
    dailyPrice('CO2', '2026-03-24', 70),
    dailyPrice('PSV', MARCH, 42),
  ])
  await storePrices(sql, [zoneDay('sud', MARCH, 60, (hour) => hourPrice('sud', MARCH, hour) + (hour === 5 ? 1 : 0))], {
    at: Temporal.Instant.from(CORRECTED_AT),
  })
  await storePrices(sql, [zoneDay('sud', MARCH, 60, (hour) => hourPrice('sud', MARCH, hour))], {
    at: Temporal.Instant.from(CORRECTED_AT).add({ hours: 1 }),
  })
  await storeFundamentals(
    sql,
    ['2026-03-28', MARCH, OCTOBER].map((day) => fundamentalDay('generation-solar/nord', day, (hour) => hour * 10)),
    { source: 'entsoe-load-forecast', at: '2026-11-02T00:00:00Z' },
  )
  await refreshAggregates(sql)
  return db
}
