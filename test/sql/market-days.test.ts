import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { italianHolidays } from '../../src/market/holidays.ts'
import { hoursInMarketDay, startOfMarketDay } from '../../src/market/market-day.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.stop())

describe('market days in SQL', () => {
  it('begin and last as they do in Temporal, for every day from 2004 to 2035', async () => {
    const rows = await db.database.sql<{ day: string; starts: Temporal.Instant; minutes: number; back: string }[]>`
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
    const rows = await db.database.sql<{ day: string }[]>`
      select market_day as day from national_holidays('2004-01-01', '2035-12-31') order by 1`
    const expected = new Set<string>()
    for (let year = 2004; year <= 2035; year++)
      for (const { date } of italianHolidays(year)) expected.add(date.toString())
    expect(rows.map((row) => row.day)).toEqual([...expected].sort())
  })
})
