import { describe, expect, it } from 'vitest'
import { hoursInMarketDay, startOfMarketDay } from '../../src/market/market-day.ts'
import { easterSunday } from '../../src/market/trading-days.ts'
import { databaseOfFile } from '../support/database.ts'
import { nationalHolidays } from '../support/national-holidays.ts'

const db = await databaseOfFile()

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
    expect(rows.map((row) => row.day)).toEqual(nationalHolidays(2004, 2035))
  })

  it("have the Easter of the exchanges' calendar, in every year of two centuries", async () => {
    const rows = await db.database.sql<{ year: number; day: string }[]>`
      select year, easter_sunday(year) as day from generate_series(1900, 2100) as year`
    expect(rows.filter(({ year, day }) => day !== easterSunday(year).toString())).toEqual([])
  })
})
