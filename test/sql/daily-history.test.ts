/** Prices read by year equal those read by day, for any span and any composition of the years. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { priceStore } from '../../src/store/prices.ts'
import { databaseOfFile, hasTimescale, needsTimescale } from '../support/database.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { repetitions } from '../support/repetitions.ts'

const FIRST = Temporal.PlainDate.from('2021-11-20')
const LAST = Temporal.PlainDate.from('2026-02-10')
const DAYS = FIRST.until(LAST).days + 1
const dayAt = (n: number) => FIRST.add({ days: n })

const db = await databaseOfFile()
const { sql } = db.database
const prices = priceStore(db.database.read)
beforeAll(async () => {
  // 2023 has a day with a gap, 2024 two publishers, 2025 a day with only a daily price.
  const days = Array.from({ length: DAYS }, (_, n) => puns(dayAt(n).toString(), n))
  for (const year of [2021, 2022, 2023, 2024, 2025, 2026]) {
    const ofYear = days.filter(({ day }) => day.year === year && day.toString() !== '2025-07-01')
    await storePrices(sql, ofYear, { source: year === 2022 ? 'entsoe' : 'gme-mgp' })
  }
  await storePrices(sql, [dailyPrice('PUN', '2025-07-01', 77), dailyPrice('TTF', '2023-05-02', 30)])
  await storePrices(sql, [dailyPrice('TTF', '2021-12-31', 28), dailyPrice('TTF', '2025-01-02', 50)])
  await refreshAggregates(sql)
})

function puns(day: string, n: number): ZoneDay {
  return zoneDay('nazionale', day, 60, (hour) =>
    day === '2023-03-26' && hour === 23 ? undefined : 50 + ((n + hour) % 17),
  )
}

describe('a history', () => {
  it.each(['PUN', 'TTF'] as const)('of %s equals the daily series without statistics and bases', async (asset) => {
    const position = fc.integer({ min: -40, max: DAYS + 40 })
    await fc.assert(
      fc.asyncProperty(position, position, async (a, b) => {
        const span = { from: dayAt(Math.min(a, b)), to: dayAt(Math.max(a, b)) }
        const { points, sourceIds } = await prices.series(asset, span)
        const plain = points.map(({ date, price }) => ({ date, price }))
        expect(await prices.history(asset, span)).toEqual({ points: plain, sourceIds })
      }),
      { numRuns: repetitions(15, 60) },
    )
  })

  it('has every day of the calendar years, including change days, except one with a gap', async () => {
    const span = { from: Temporal.PlainDate.from('2022-01-01'), to: Temporal.PlainDate.from('2025-12-31') }
    const { points, sourceIds } = await prices.history('PUN', span)
    expect(points).toHaveLength(4 * 365 + 1 - 1)
    const dates = points.map(({ date }) => date).filter((date) => /^2023-(03-2[567]|10-29)$/.test(date))
    expect(dates).toEqual(['2023-03-25', '2023-03-27', '2023-10-29'])
    expect(points.find(({ date }) => date === '2025-07-01')?.price).toBe(77)
    expect(sourceIds).toEqual(['entsoe', 'gme-mgp'])
  })

  it.skipIf(!hasTimescale)(
    needsTimescale('shows a correction of a past year once the aggregates are refreshed'),
    async () => {
      const span = { from: Temporal.PlainDate.from('2024-01-01'), to: Temporal.PlainDate.from('2024-12-31') }
      const priceOf = async () => (await prices.history('PUN', span)).points.find(({ date }) => date === '2024-02-29')
      const before = await priceOf()
      await storePrices(sql, [zoneDay('nazionale', '2024-02-29', 60, () => 444)])
      expect(await priceOf()).toEqual(before)
      await refreshAggregates(sql)
      expect(await priceOf()).toEqual({ date: '2024-02-29', price: 444 })
    },
  )

  it('includes a year missing from its aggregate, as after an upgrade', async () => {
    const span = { from: Temporal.PlainDate.from('2019-01-01'), to: Temporal.PlainDate.from('2019-12-31') }
    await storePrices(sql, [puns('2019-03-31', 0), puns('2019-10-27', 1)])
    for (const aggregate of ['zone_prices_hourly', 'zone_prices_daily'])
      await sql.unsafe(`call refresh_continuous_aggregate('${aggregate}', null, '2200-01-01')`)
    const { points } = await prices.series('PUN', span)
    expect(points).toHaveLength(2)
    expect((await prices.history('PUN', span)).points).toEqual(points)
  })
})
