import { describe, expect, it } from 'vitest'
import { hoursInMarketDay, startOfMarketDay } from '../../src/market/market-day.ts'
import { easterSunday } from '../../src/market/trading-days.ts'
import { STORED_ZONES, type ZoneCode } from '../../src/market/zones.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { databaseOfFile } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { nationalHolidays } from '../support/national-holidays.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database

describe('market days in SQL', () => {
  it('begin and last as they do in Temporal, for every day from 2004 to 2035', async () => {
    const rows = await sql<{ day: string; starts: Temporal.Instant; minutes: number; back: string }[]>`
      select d::date as day, market_day_start(d::date) as starts, market_day_minutes(d::date) as minutes,
             market_day_of(market_day_start(d::date)) as back
      from generate_series(date '2004-01-01', date '2035-12-31', interval '1 day') d`
    expect(rows).toHaveLength(11_688)
    const wrong = rows.filter((row) => {
      const day = Temporal.PlainDate.from(row.day)
      return (
        !startOfMarketDay(day).equals(row.starts) || hoursInMarketDay(day) * 60 !== row.minutes || row.back !== row.day
      )
    })
    expect(wrong).toEqual([])
  })

  it('are holidays exactly on the days of the national calendar', async () => {
    const rows = await sql<{ day: string }[]>`
      select market_day as day from national_holidays('2004-01-01', '2035-12-31') order by 1`
    expect(rows.map((row) => row.day)).toEqual(nationalHolidays(2004, 2035))
  })

  it('have the same Easter Sunday as the exchange calendar from 1900 to 2100', async () => {
    const rows = await sql<{ year: number; day: string }[]>`
      select year, easter_sunday(year) as day from generate_series(1900, 2100) as year`
    expect(rows.filter(({ year, day }) => day !== easterSunday(year).toString())).toEqual([])
  })
})

const write = (item: ZoneDay, source = 'gme-mgp') => storePrices(sql, [item], { source })

it('storing zone-days refuses an unknown source or zone and stores nothing', async () => {
  const day = (zone: string) => zoneDay(zone as ZoneCode, '2024-01-05', 60, () => 1)
  await expect(write(day('nord'), 'nobody')).rejects.toThrow()
  await expect(write(day('atlantide'))).rejects.toThrow(/unknown zone/)
  expect(await sql`select from price_intervals where market_day = '2024-01-05'`).toHaveLength(0)
})

it('aggregates of zone-days weight the mean by the length of the day and count the stored minutes', async () => {
  await write(zoneDay('cala', '2026-03-29', 15, (n) => n))
  await write(zoneDay('cala', '2026-10-25', 60, (n) => n))
  await refreshAggregates(sql)
  const days = await sql`
    select market_day, price_eur_mwh, minutes, expected_minutes, intervals, hour_max_eur_mwh
    from zone_prices_daily where zone = 'cala' order by market_day`
  expect(linesOf(days)).toEqual(['2026-03-29 46.5 1380 1380 92 90.5', '2026-10-25 13 1500 1500 25 25'])
  const hours = await sql<{ hour: number; price_eur_mwh: number }[]>`
    select hour, price_eur_mwh from zone_prices_hourly where zone = 'cala' and market_day = '2026-03-29' order by starts_at`
  expect(hours.map((row) => row.hour)).toEqual(Array.from({ length: 23 }, (_, i) => i + 1))
  expect(hours[0]?.price_eur_mwh).toBe(2.5)
})

describe('a correction of many days without planner statistics', () => {
  const priced = (from: string, count: number, resolution: 15 | 60, price: (n: number) => number) =>
    STORED_ZONES.flatMap((zone) =>
      Array.from({ length: count }, (_, i) =>
        zoneDay(zone, Temporal.PlainDate.from(from).add({ days: i }).toString(), resolution, price),
      ),
    )

  it('counts corrected and unchanged intervals, including on change days', async () => {
    await storePrices(
      sql,
      priced('2024-03-25', 150, 60, (n) => n),
    )
    await sql`analyze`
    await storePrices(
      sql,
      priced('2024-10-14', 26, 15, (n) => n),
    )
    const everyFourth = (n: number) => (n % 4 === 0 ? n + 1 : n)
    const intervals = (26 * 96 + 4) * STORED_ZONES.length
    expect(await storePrices(sql, priced('2024-10-14', 26, 15, everyFourth))).toMatchObject({
      unchanged: (intervals * 3) / 4,
      corrected: intervals / 4,
    })
    const replaced = await sql`
      select price_eur_mwh from price_interval_revisions where zone = 'sici' and market_day = '2024-10-27' order by starts_at`
    expect(linesOf(replaced)).toEqual(Array.from({ length: 25 }, (_, hour) => `${4 * hour + 4}`))
  })
})
