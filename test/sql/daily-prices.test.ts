import { describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { priceStore } from '../../src/store/prices.ts'
import { databaseOfFile } from '../support/database.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const db = await databaseOfFile()
const { sql } = db.database
const prices = priceStore(db.database.read)

const day = (text: string) => Temporal.PlainDate.from(text)
const span = (from: string, to: string) => ({ from: day(from), to: day(to) })
const upTo = (to: string) => ({ notBefore: day('2000-01-01'), notAfter: day(to) })

it('storing daily prices counts stored, corrected, unchanged and outranked prices', async () => {
  const store = (price: number, source: string) =>
    storePrices(sql, [dailyPrice('PSV', '2025-02-01', price)], { source })
  expect(await store(40, 'entsoe')).toMatchObject({ stored: 1 })
  expect(await store(41, 'gme-mgas')).toMatchObject({ corrected: 1 })
  expect(await store(41, 'gme-mgas')).toMatchObject({ unchanged: 1 })
  expect(await store(50, 'entsoe')).toMatchObject({ outranked: 1 })
  const revisions = await sql`select price, source from daily_price_revisions where asset = 'PSV'`
  expect([...revisions]).toEqual([{ price: 40, source: 'entsoe' }])
})

describe('corrections', () => {
  const at = (text: string) => ({ at: Temporal.Instant.from(text) })
  const since = day('2023-01-01')

  it('state when and how many values were replaced, and the daily price before and after', async () => {
    const first = zoneDay('nazionale', '2023-10-29', 60, () => 100)
    const changed = zoneDay('nazionale', '2023-10-29', 60, (hour) => (hour === 3 ? 125 : 100))
    await storePrices(sql, [first, dailyPrice('Brent', '2023-10-29', 40)], at('2023-10-28T11:00:00Z'))
    await storePrices(sql, [changed, dailyPrice('Brent', '2023-10-29', 42)], at('2023-10-29T06:00:00Z'))
    const correctedAt = Temporal.Instant.from('2023-10-29T06:00:00Z')
    expect(await prices.corrections('PUN', since, 10)).toEqual([
      { day: '2023-10-29', correctedAt, replaced: 1, before: 100, after: 101 },
    ])
    expect(await prices.corrections('Brent', since, 10)).toMatchObject([{ replaced: 1, before: 40, after: 42 }])
    expect(await prices.corrections('Brent', day('2023-10-30'), 10)).toEqual([])
  })

  it('are listed newest first, up to the limit', async () => {
    await storePrices(sql, [dailyPrice('Brent', '2023-10-29', 43)], at('2023-10-30T06:00:00Z'))
    expect((await prices.corrections('Brent', since, 10)).map(({ after }) => after)).toEqual([43, 42])
    expect(await prices.corrections('Brent', since, 1)).toMatchObject([{ before: 42, after: 43 }])
  })
})

describe('a daily series', () => {
  it('takes the PUN from complete days and omits a day with gaps', async () => {
    await storePrices(sql, [
      zoneDay('nazionale', '2024-03-31', 60, (n) => n),
      zoneDay('nazionale', '2024-04-01', 60, () => 50),
      zoneDay('nazionale', '2024-04-02', 60, (n) => (n === 24 ? undefined : 99)),
    ])
    await refreshAggregates(sql)
    expect(await prices.series('PUN', span('2024-03-30', '2024-04-05'))).toEqual({
      points: [
        { date: '2024-03-31', price: 12 },
        { date: '2024-04-01', price: 50 },
      ],
      stats: { min: 12, max: 50, avg: 31 },
      sourceIds: ['gme-mgp'],
    })
  })

  it('uses a daily PUN only where the hours are incomplete', async () => {
    await storePrices(sql, [
      dailyPrice('PUN', '2024-04-01', 1),
      dailyPrice('PUN', '2024-04-02', 77),
      dailyPrice('PUN', '2024-04-03', 78),
    ])
    const { points } = await prices.series('PUN', span('2024-04-01', '2024-04-03'))
    expect(points.map((point) => point.price)).toEqual([50, 77, 78])
  })

  it('is empty, not zero, if there are no prices', async () => {
    const series = await prices.series('TTF', span('2024-01-01', '2024-02-01'))
    expect(series).toEqual({ points: [], stats: undefined, sourceIds: [] })
    expect(await prices.latest('TTF', upTo('2030-01-01'))).toBeUndefined()
  })

  it('finds the latest price in the span with its source and publication time', async () => {
    const at = Temporal.Instant.from('2025-06-03T18:00:00Z')
    const items = [dailyPrice('Brent', '2025-06-02', 60), dailyPrice('Brent', '2025-06-03', 61)]
    await storePrices(sql, items, { source: 'eia-brent', at })
    expect(await prices.latest('Brent', upTo('2025-06-02'))).toMatchObject({ day: '2025-06-02', price: 60 })
    expect(await prices.latest('Brent', upTo('2026-01-01'))).toEqual({
      asset: 'Brent',
      day: '2025-06-03',
      price: 61,
      sourceIds: ['eia-brent'],
      observedAt: at,
    })
  })
})
