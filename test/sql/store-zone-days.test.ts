import { describe, expect, it } from 'vitest'
import { STORED_ZONES, type ZoneCode } from '../../src/market/zones.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { databaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const db = await databaseOfFile()

const write = (item: ZoneDay, source = 'gme-mgp') => storePrices(db.database.sql, [item], { source })

const intervalsOf = (zone: string, day: string) => db.database.sql<
  { ordinal: number; starts_at: Temporal.Instant; price_eur_mwh: number; resolution_minutes: number; source: string }[]
>`
  select ordinal, starts_at, price_eur_mwh, resolution_minutes, source
  from price_intervals where zone = ${zone} and market_day = ${day}::date order by starts_at`

const revisionsOf = (zone: string, day: string) => db.database.sql<
  { ordinal: number; price_eur_mwh: number; source: string }[]
>`
  select ordinal, price_eur_mwh, source
  from price_interval_revisions where zone = ${zone} and market_day = ${day}::date order by superseded_at, starts_at`

describe('storing zone-days', () => {
  it.each([
    ['2026-03-29', 60, 23, '2026-03-28T23:00:00Z', '2026-03-29T21:00:00Z'],
    ['2026-03-29', 15, 92, '2026-03-28T23:00:00Z', '2026-03-29T21:45:00Z'],
    ['2026-10-25', 60, 25, '2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z'],
    ['2026-10-25', 15, 100, '2026-10-24T22:00:00Z', '2026-10-25T22:45:00Z'],
    ['2026-06-10', 60, 24, '2026-06-09T22:00:00Z', '2026-06-10T21:00:00Z'],
  ] as const)(
    'lays %s at %i minutes out as %i intervals without a gap',
    async (day, resolution, count, first, last) => {
      const zone = resolution === 60 ? 'nord' : 'cnor'
      expect(await write(zoneDay(zone, day, resolution, (n) => n))).toEqual({
        stored: count,
        unchanged: 0,
        corrected: 0,
        outranked: 0,
      })
      const rows = await intervalsOf(zone, day)
      expect(rows.map((row) => row.ordinal)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
      expect(rows[0]?.starts_at.toString()).toBe(first)
      expect(rows.at(-1)?.starts_at.toString()).toBe(last)
    },
  )

  it('changes nothing when the same day is stored twice', async () => {
    const day = zoneDay('sud', '2025-05-01', 60, (n) => 50 + n)
    await write(day)
    expect(await write(day)).toEqual({ stored: 0, unchanged: 24, corrected: 0, outranked: 0 })
    expect(await revisionsOf('sud', '2025-05-01')).toHaveLength(0)
  })

  it('keeps what a correction replaces, and touches only what it corrects', async () => {
    await write(zoneDay('sud', '2025-05-02', 60, () => 70))
    expect(await write(zoneDay('sud', '2025-05-02', 60, (n) => (n === 5 ? 71 : 70)))).toEqual({
      stored: 0,
      unchanged: 23,
      corrected: 1,
      outranked: 0,
    })
    expect((await intervalsOf('sud', '2025-05-02'))[4]?.price_eur_mwh).toBe(71)
    expect([...(await revisionsOf('sud', '2025-05-02'))]).toEqual([
      { ordinal: 5, price_eur_mwh: 70, source: 'gme-mgp' },
    ])
  })

  it('lets quarters replace hours of the same source, never vice versa', async () => {
    await write(zoneDay('sici', '2026-03-29', 60, () => 80))
    const quarters = zoneDay('sici', '2026-03-29', 15, (n) => 80 + (n % 4))
    expect(await write(quarters)).toEqual({ stored: 0, unchanged: 0, corrected: 92, outranked: 0 })
    expect(await revisionsOf('sici', '2026-03-29')).toHaveLength(23)
    expect(await write(zoneDay('sici', '2026-03-29', 60, () => 99))).toEqual({
      stored: 0,
      unchanged: 0,
      corrected: 0,
      outranked: 23,
    })
    expect(await intervalsOf('sici', '2026-03-29')).toHaveLength(92)
  })

  it('lets a better source replace a worse one whatever the resolution, and never vice versa', async () => {
    await write(
      zoneDay('sard', '2026-04-01', 15, () => 90),
      'entsoe',
    )
    expect(
      await write(
        zoneDay('sard', '2026-04-01', 60, () => 90),
        'gme-mgp',
      ),
    ).toMatchObject({ corrected: 24 })
    expect(
      await write(
        zoneDay('sard', '2026-04-01', 60, () => 5),
        'entsoe',
      ),
    ).toMatchObject({ outranked: 24 })
    const rows = await intervalsOf('sard', '2026-04-01')
    expect(new Set(rows.map((row) => row.source))).toEqual(new Set(['gme-mgp']))
  })

  it('refuses a source, a zone or a document it does not know, and stores nothing', async () => {
    await expect(
      write(
        zoneDay('nord', '2024-01-05', 60, () => 1),
        'nobody',
      ),
    ).rejects.toThrow()
    await expect(write(zoneDay('atlantide' as ZoneCode, '2024-01-05', 60, () => 1))).rejects.toThrow(/unknown zone/)
    expect(await intervalsOf('nord', '2024-01-05')).toHaveLength(0)
  })
})

describe('aggregates of zone-days', () => {
  it('weight the mean by the length of the day and count the stored minutes', async () => {
    await write(zoneDay('cala', '2026-03-29', 15, (n) => n))
    await write(zoneDay('cala', '2026-10-25', 60, (n) => n))
    await refreshAggregates(db.database.sql)
    const days = await db.database.sql<
      {
        market_day: string
        price_eur_mwh: number
        minutes: number
        expected_minutes: number
        intervals: number
        hour_max_eur_mwh: number
      }[]
    >`
      select market_day, price_eur_mwh, minutes, expected_minutes, intervals, hour_max_eur_mwh
      from zone_prices_daily where zone = 'cala' order by market_day`
    expect([...days]).toEqual([
      {
        market_day: '2026-03-29',
        price_eur_mwh: 46.5,
        minutes: 1380,
        expected_minutes: 1380,
        intervals: 92,
        hour_max_eur_mwh: 90.5,
      },
      {
        market_day: '2026-10-25',
        price_eur_mwh: 13,
        minutes: 1500,
        expected_minutes: 1500,
        intervals: 25,
        hour_max_eur_mwh: 25,
      },
    ])
    const hours = await db.database.sql<{ hour: number; price_eur_mwh: number }[]>`
      select hour, price_eur_mwh from zone_prices_hourly where zone = 'cala' and market_day = '2026-03-29' order by starts_at`
    expect(hours.map((row) => row.hour)).toEqual(Array.from({ length: 23 }, (_, i) => i + 1))
    expect(hours[0]?.price_eur_mwh).toBe(2.5)
  })

  it('follow a correction after the next refresh', async () => {
    await write(zoneDay('cala', '2026-10-25', 60, () => 20))
    await refreshAggregates(db.database.sql)
    const [day] = await db.database.sql<{ price_eur_mwh: number }[]>`
      select price_eur_mwh from zone_prices_daily where zone = 'cala' and market_day = '2026-10-25'`
    expect(day?.price_eur_mwh).toBe(20)
  })
})

describe('a correction of many days that the planner has no statistics of yet', () => {
  const priced = (from: string, count: number, resolution: 15 | 60, price: (n: number) => number) =>
    STORED_ZONES.flatMap((zone) =>
      Array.from({ length: count }, (_, i) =>
        zoneDay(zone, Temporal.PlainDate.from(from).add({ days: i }).toString(), resolution, price),
      ),
    )

  it('is compared day by day, on change days too', async () => {
    const { sql } = db.database
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
    expect((await revisionsOf('sici', '2024-10-27')).map((row) => row.price_eur_mwh)).toEqual(
      Array.from({ length: 25 }, (_, hour) => 4 * hour + 4),
    )
  })
})
