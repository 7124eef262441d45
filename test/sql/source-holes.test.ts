import { describe, expect, it } from 'vitest'
import type { ResolutionMinutes } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { sourceDefinition } from '../../src/publishers/sources.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type DaySource, findMissingDays, listDayStates, recordMissingDays } from '../../src/store/publications.ts'
import { databaseOfFile } from '../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const AT = Temporal.Instant.from('2026-11-21T10:00:00Z')
const gme = sourceDefinition('gme-mgp')
const entsoe = sourceDefinition('entsoe')
const ttf = sourceDefinition('eex-ttf')

const { sql } = (await databaseOfFile()).database

const days = (...texts: string[]) => texts.map((text) => Temporal.PlainDate.from(text))
const allZones = (day: string, resolution: ResolutionMinutes, zones: readonly string[] = STORED_ZONES) =>
  zones.map((zone) => zoneDay(zone as 'nord', day, resolution, () => 50))
const holes = async (source: DaySource, asked: string[], at = AT, limit = 100) =>
  (await findMissingDays(sql, source, days(...asked), { at, limit })).map(String)
const completeDays = async (source: DaySource, asked: string[]) =>
  (await listDayStates(sql, source, days(...asked))).filter(({ whole }) => whole).map(({ day }) => String(day))

/** Expects the same holes before and after a refresh of the aggregates. */
async function expectHoles(source: DaySource, asked: string[], expected: string[]): Promise<void> {
  expect(await holes(source, asked)).toEqual(expected)
  await refreshAggregates(sql)
  expect(await holes(source, asked)).toEqual(expected)
  expect(await completeDays(source, asked)).toEqual(asked.filter((day) => !expected.includes(day)).reverse())
}

describe('missing days of the day-ahead market', () => {
  it('are those with a missing or incomplete zone, newest first, and no complete change day', async () => {
    const asked = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26']
    await storePrices(sql, [...allZones('2026-03-29', 15), ...allZones('2026-10-25', 15)])
    await storePrices(sql, allZones('2026-03-30', 15, STORED_ZONES.slice(1)))
    const gaps = allZones('2026-10-24', 15)
    await storePrices(sql, [{ ...(gaps[0] as (typeof gaps)[0]), prices: Array(92).fill(1) }, ...gaps.slice(1)])
    await expectHoles(gme, asked, ['2026-10-26', '2026-10-24', '2026-03-30', '2026-03-28'])
    expect(await holes(gme, asked, AT, 2)).toEqual(['2026-10-26', '2026-10-24'])
  })

  it('are found below as many complete days that the aggregates do not have yet', async () => {
    const asked = ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05']
    await storePrices(sql, [
      ...allZones('2026-06-05', 15),
      ...allZones('2026-06-04', 15),
      ...allZones('2026-06-02', 15),
    ])
    expect(await holes(gme, asked, AT, 2)).toEqual(['2026-06-03'])
    expect(await holes(gme, ['2026-06-04', '2026-06-05'], AT, 2)).toEqual([])
  })

  it('include days with hours only, once the market clears in quarter-hours', async () => {
    await storePrices(sql, [...allZones('2025-09-30', 60), ...allZones('2025-10-01', 60)])
    await expectHoles(gme, ['2025-09-30', '2025-10-01'], ['2025-10-01'])
  })

  it('do not depend on a zone before it existed', async () => {
    const before = STORED_ZONES.filter((zone) => zone !== 'cala')
    await storePrices(sql, [...allZones('2020-12-31', 60, before), ...allZones('2021-01-01', 60, before)])
    await expectHoles(gme, ['2020-12-31', '2021-01-01'], ['2021-01-01'])
  })

  it('of the first source include days that only the second has delivered', async () => {
    const zones = STORED_ZONES.filter((zone) => zone !== 'nazionale')
    await storePrices(sql, allZones('2026-05-01', 15, zones), { source: 'entsoe' })
    await storePrices(sql, allZones('2026-05-02', 15))
    await expectHoles(entsoe, ['2026-05-01', '2026-05-02', '2026-05-03'], ['2026-05-03'])
    await expectHoles(gme, ['2026-05-01', '2026-05-02', '2026-05-03'], ['2026-05-03', '2026-05-01'])
  })
})

describe('missing days of fundamentals', () => {
  it('include a day whose first hours are from a source of lower priority', async () => {
    const terna = sourceDefinition('terna-imbalance')
    const series = terna.fundamentals.map(({ series, area }) => `${series}/${area}` as const)
    const store = (source: string, from: number) =>
      storeFundamentals(
        sql,
        series.map((name) => fundamentalDay(name, '2026-05-01', (hour) => (hour < from ? undefined : 80))),
        { source, at: `2026-05-02T${source === 'terna-imbalance' ? 18 : 17}:00:00Z` },
      )
    await store('entsoe-imbalance', 1)
    await store('terna-imbalance', 4)
    await expectHoles(terna, ['2026-05-01', '2026-05-02'], ['2026-05-02', '2026-05-01'])
    await expectHoles(sourceDefinition('entsoe-imbalance'), ['2026-05-01', '2026-05-02'], ['2026-05-02'])
  })
})

describe('missing days of a daily price', () => {
  it('are the days without a price from that source', async () => {
    await storePrices(sql, [dailyPrice('TTF', '2026-03-27', 30)], { source: 'eex-ttf' })
    await storePrices(sql, [dailyPrice('TTF', '2026-03-28', 30)], { source: 'entsoe' })
    await expectHoles(ttf, ['2026-03-27', '2026-03-28', '2026-03-30'], ['2026-03-30', '2026-03-28'])
  })

  it('without a publication are retried after 1, 2, 4 and up to 90 days', async () => {
    const day = '2026-02-02'
    let at = AT
    for (const pause of [1, 2, 4, 8, 16, 32, 64, 90, 90]) {
      expect(await holes(ttf, [day], at)).toEqual([day])
      await recordMissingDays(sql, ttf.id, days(day), at)
      expect(await holes(ttf, [day], at.add({ hours: 24 * pause - 1 }))).toEqual([])
      at = at.add({ hours: 24 * pause })
    }
  })
})
