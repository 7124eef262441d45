/** The reported completeness of each market day, including the days of 23 and 25 hours. */
import { describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { listCompleteness } from '../../src/store/completeness.ts'
import { databaseOfFile } from '../support/database.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database

const completeness = async (day: string) => {
  const date = Temporal.PlainDate.from(day)
  const [found] = await listCompleteness(sql, date, date)
  return found
}

describe('the completeness of a day', () => {
  it.each([
    ['2026-03-29', 92, 1380],
    ['2026-10-25', 100, 1500],
    ['2026-11-20', 96, 1440],
  ])('is counted on %s over %i quarter-hours', async (day, quarters, minutes) => {
    const whole = zoneDay('nazionale', day, 15, () => 90)
    expect(whole.prices).toHaveLength(quarters)
    const halfNorth = zoneDay('nord', day, 15, (ordinal) => (ordinal <= quarters / 2 ? 90 : undefined))
    await storePrices(sql, [whole, halfNorth, dailyPrice('PSV', day, 30)])
    await refreshAggregates(sql)
    expect(await completeness(day)).toEqual({
      ...{ day, expectedMinutes: minutes, punMinutes: minutes, assets: ['PSV'] },
      ...{ zones: 8, zonesWhole: 1, zoneMinutes: minutes * 1.5 },
    })
  })

  it('is zero for a day without prices, with its zones still counted', async () => {
    expect(await completeness('2019-05-01')).toMatchObject({ punMinutes: 0, zonesWhole: 0, zoneMinutes: 0, assets: [] })
    expect((await completeness('2026-11-19'))?.zones).toBe(8)
  })

  it('is listed newest day first', async () => {
    const [from, to] = [Temporal.PlainDate.from('2026-10-24'), Temporal.PlainDate.from('2026-10-26')]
    const days = await listCompleteness(sql, from, to)
    expect(days.map(({ day }) => day)).toEqual(['2026-10-26', '2026-10-25', '2026-10-24'])
  })
})
