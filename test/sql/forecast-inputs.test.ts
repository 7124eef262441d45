/** From the database to the inputs of an hourly model: data as known at an instant, without anything stored later. */
import { beforeAll, describe, expect, it } from 'vitest'
import { hourlyRecord } from '../../jobs/forecasts/hourly-record.ts'
import { loadHours, loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { dayNumber } from '../../models/calendar.ts'
import { historyAt } from '../../models/history.ts'
import { type DailyHours, type HourlyHistory, hourOn } from '../../models/hourly/history.ts'
import { hourlyHistoryAt } from '../../models/hourly/record.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { databaseOfFile } from '../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

/** The morning before the change day, ahead of its auction. */
const MORNING = '2026-03-28T10:15:00Z'
const EVENING = '2026-03-28T19:00:00Z'
const DAYS = Array.from({ length: 9 }, (_, i) => Temporal.PlainDate.from('2026-03-21').add({ days: i }).toString())

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  for (const day of DAYS.slice(0, -1)) await publish(day)
  for (const day of DAYS) await storeForecastInputs(day)
})

const eveOf = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 })
const dayOfMonth = (day: string) => Temporal.PlainDate.from(day).day

/** Publishes a day's prices at noon of the day before: the day of the month for PUN, ten times that for North. */
async function publish(day: string): Promise<void> {
  const at = Temporal.Instant.from(`${eveOf(day)}T12:00:00Z`)
  const zones = [['nazionale', 1] as const, ['nord', 10] as const]
  await storePrices(
    sql,
    zones.map(([zone, factor]) => zoneDay(zone, day, 60, () => factor * dayOfMonth(day))),
    { at },
  )
  await storePrices(sql, [dailyPrice('PSV', day, dayOfMonth(day))], { at, source: 'gme-mgas' })
  await refreshAggregates(sql)
}

/** Stores, in the morning of the day before: load and wind of Italy, wind of North, and the Swiss price. */
async function storeForecastInputs(day: string, at = `${eveOf(day)}T09:00:00Z`, factor = 1): Promise<void> {
  const items = [
    fundamentalDay('load-forecast/IT', day, (ordinal) => factor * ordinal),
    fundamentalDay('wind-forecast/IT', day, () => factor * 100),
    fundamentalDay('wind-forecast/nord', day, (ordinal) => factor * ordinal, 15),
    fundamentalDay('day-ahead-price/CH', day, () => factor * dayOfMonth(day)),
  ]
  await storeFundamentals(sql, items, { source: 'entsoe-load-forecast', at })
}

/** The history, assembled as by the issuing job and the model process. */
async function historyKnownAt(zone: ZoneCode, at: string): Promise<HourlyHistory> {
  const now = Temporal.Instant.from(at)
  const today = marketDayOf(Temporal.Instant.from(EVENING))
  const loaded = await loadVersions(sql, today)
  const record = hourlyRecord(await loadHours(sql, [zone], today.subtract({ days: 30 }), loaded.synthetic))
  return hourlyHistoryAt(record, historyAt(priceRecord(loaded), now), zone)
}

const hourAt = (hours: DailyHours | undefined, day: string, hour: number) =>
  hours && hourOn(hours, dayNumber(Temporal.PlainDate.from(day)), hour)

describe('inputs of an hourly model', () => {
  it('are the values known at forecast time, of the zone before those of Italy, by clock hour', async () => {
    const { prices, national, gas, fundamentals } = await historyKnownAt('nord', MORNING)
    expect([hourAt(prices, '2026-03-28', 5), hourAt(national, '2026-03-28', 5)]).toEqual([280, 28])
    expect(hourAt(prices, '2026-03-29', 5)).toBeNaN()
    expect(gas.PSV.prices.at(-1)).toBe(28)
    const { load, wind, neighbours } = fundamentals
    expect(hourAt(load, '2026-03-28', 5)).toBe(6)
    expect([1, 2, 3].map((hour) => hourAt(load, '2026-03-29', hour))).toEqual([2, 2.5, 3]) // the skipped hour is interpolated
    expect(hourAt(wind, '2026-03-29', 1)).toBe(6.5) // the mean of quarter-hours 5 to 8
    expect(hourAt(neighbours?.CH, '2026-03-29', 0)).toBe(29)
    expect(hourAt((await historyKnownAt('nazionale', MORNING)).fundamentals.wind, '2026-03-29', 1)).toBe(100)
  })

  it('are bit-identical whatever is published, corrected or forecast later', async () => {
    const before = await Promise.all((['nord', 'nazionale'] as const).map((zone) => historyKnownAt(zone, MORNING)))
    await publish('2026-03-29')
    const at = Temporal.Instant.from('2026-03-28T15:00:00Z')
    await storePrices(sql, [zoneDay('nord', '2026-03-28', 60, () => 7_000)], { at })
    await storePrices(sql, [zoneDay('nazionale', '2026-03-27', 60, () => 700)], { at })
    for (const day of DAYS.slice(-3)) await storeForecastInputs(day, '2026-03-28T16:00:00Z', 7)
    await storeForecastInputs('2026-03-30', '2026-03-28T16:00:00Z', 7)
    await refreshAggregates(sql)
    expect(await Promise.all((['nord', 'nazionale'] as const).map((zone) => historyKnownAt(zone, MORNING)))).toEqual(
      before,
    )

    const { prices, national, fundamentals } = await historyKnownAt('nord', EVENING)
    expect([hourAt(prices, '2026-03-28', 5), hourAt(prices, '2026-03-29', 5)]).toEqual([7_000, 290])
    expect(hourAt(national, '2026-03-27', 5)).toBe(700)
    expect(hourAt(fundamentals.load, '2026-03-30', 5)).toBe(42)
  })

  it('average the repeated hour of October', async () => {
    const item = fundamentalDay('load-forecast/IT', '2026-10-25', (ordinal) => ordinal, 15)
    await storeFundamentals(sql, [item], { source: 'entsoe-load-forecast', at: '2026-03-28T09:30:00Z' })
    const { load } = (await historyKnownAt('nazionale', EVENING)).fundamentals
    expect([1, 2, 3].map((hour) => hourAt(load, '2026-10-25', hour))).toEqual([6.5, 12.5, 18.5])
  })
})
