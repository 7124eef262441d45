/** The change feed: which write records which change, when it becomes readable, and how long it is kept. */
import { describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type Change, changeStore, removeOldChanges } from '../../src/store/changes.ts'
import { markComplete, recordLateDays } from '../../src/store/source-events.ts'
import { databaseOfFile } from '../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { dailyPrice, daysBetween, storePrices, zoneDay } from '../support/prices.ts'

const AT = Temporal.Instant.from('2026-11-21T12:00:00.123456Z')

let position = 0
const { sql } = (await databaseOfFile()).database

/** Changes recorded since the last call. */
async function recorded(): Promise<Change[]> {
  await refreshAggregates(sql)
  const page = await changeStore(sql).after(position, { limit: 1_000 })
  position = page.next
  return page.changes
}

describe('the change feed', () => {
  it.each([
    ['2026-03-29', 92],
    ['2026-10-25', 100],
    ['2026-06-10', 96],
  ])('records a published day (%s) as one change of the PUN and one of all zones', async (day, quarters) => {
    await storePrices(
      sql,
      (['nazionale', 'sud', 'nord'] as const).map((zone) => zoneDay(zone, day, 15, (n) => n)),
    )
    const published = { kind: 'day.published', day, version: 1, synthetic: false }
    expect(await recorded()).toMatchObject([
      { ...published, dataset: 'pun', zones: null, details: { intervals: { nazionale: quarters } } },
      {
        ...published,
        dataset: 'zones',
        zones: ['nord', 'sud'],
        details: { intervals: { nord: quarters, sud: quarters } },
      },
    ])
  })

  it('records a correction with its version and interval count, and nothing for an identical document', async () => {
    const day = zoneDay('nazionale', '2026-05-01', 60, () => 70)
    const corrected = zoneDay('nazionale', '2026-05-01', 60, (hour) => (hour > 22 ? 71 : 70))
    await storePrices(sql, [day])
    await recorded()
    await storePrices(sql, [corrected], { at: AT })
    const correction = { kind: 'day.corrected', dataset: 'pun', version: 2, details: { intervals: { nazionale: 2 } } }
    const [change, ...others] = await recorded()
    expect(change).toMatchObject(correction)
    expect(change?.occurredAt).toEqual(AT)
    expect(others).toEqual([])
    await storePrices(sql, [corrected])
    expect(await recorded()).toEqual([])
    await storePrices(sql, [day])
    expect(await recorded()).toMatchObject([{ kind: 'day.corrected', version: 3 }])
  })

  it('records a day of a fundamental series once as published and once as corrected', async () => {
    const load = (n: number) => fundamentalDay('load-forecast/IT', '2026-10-25', () => n)
    const source = 'entsoe-load-forecast'
    await storeFundamentals(sql, [load(20_000)], { source, at: '2026-10-24T12:00:00Z' })
    await storeFundamentals(sql, [load(20_000)], { source, at: '2026-10-24T13:00:00Z' })
    await storeFundamentals(sql, [load(21_000)], { source, at: '2026-10-24T14:00:00Z' })
    const change = { dataset: 'fundamentals', day: '2026-10-25', synthetic: false }
    expect(await recorded()).toMatchObject([
      { ...change, kind: 'day.published' },
      { ...change, kind: 'day.corrected' },
    ])
  })

  it('records an issued hourly forecast with its zone', async () => {
    await seedHours(sql, { zone: 'sici', infoDate: '2026-10-24', issuedAt: '2026-10-24T12:00:00Z', days: 2 })
    expect(await recorded()).toMatchObject([
      { kind: 'forecast.issued', dataset: 'forecasts-hourly', zones: ['sici'], details: { info_date: '2026-10-24' } },
    ])
  })

  it('records negative hours with the zones that have them', async () => {
    await storePrices(sql, [
      zoneDay('nord', '2026-05-02', 60, () => 0),
      zoneDay('sici', '2026-05-02', 60, (hour) => (hour < 3 ? -hour : 5)),
    ])
    const details = { intervals: { sici: 2 }, lowest_eur_mwh: -2 }
    expect(await recorded()).toMatchObject([
      { kind: 'day.published', zones: ['nord', 'sici'] },
      { kind: 'hours.negative', dataset: 'zones', zones: ['sici'], details },
    ])
  })

  it('records published and corrected daily prices for each asset and day', async () => {
    await storePrices(sql, [dailyPrice('PSV', '2026-05-02', 30), dailyPrice('CO2', '2026-05-02', 60)])
    await storePrices(sql, [dailyPrice('PSV', '2026-05-02', 31), dailyPrice('PUN', '2020-05-02', 9)])
    expect(await recorded()).toMatchObject([
      { kind: 'day.published', dataset: 'co2', day: '2026-05-02', version: 1 },
      { kind: 'day.published', dataset: 'psv', day: '2026-05-02', version: 1 },
      { kind: 'day.published', dataset: 'pun', day: '2020-05-02', details: { basis: 'daily_mean' } },
      { kind: 'day.corrected', dataset: 'psv', day: '2026-05-02', version: 2 },
    ])
  })

  it('records a late and a recovered source once each', async () => {
    const days = [Temporal.PlainDate.from('2026-05-03')]
    for (const _again of [1, 2]) await recordLateDays(sql, 'gme-mgp', days, AT)
    for (const _again of [1, 2]) await markComplete(sql, 'gme-mgp', days, AT.add({ hours: 1 }))
    expect(await recorded()).toMatchObject([
      { kind: 'source.late', dataset: 'sources', day: '2026-05-03', details: { source: 'gme-mgp' } },
      { kind: 'source.recovered', dataset: 'sources', day: null, details: { source: 'gme-mgp', since: AT.toString() } },
    ])
  })
})

describe('reading the change feed', () => {
  it('returns no price, nor any later change, until the aggregates are refreshed', async () => {
    await storePrices(sql, [zoneDay('nazionale', '2026-05-04', 60, () => 1)])
    await storePrices(sql, [dailyPrice('TTF', '2026-05-04', 30)])
    const store = changeStore(sql)
    expect(await store.after(position, { limit: 10 })).toMatchObject({ changes: [], next: position })
    expect(await recorded()).toMatchObject([{ dataset: 'pun' }, { dataset: 'ttf' }])
  })

  it('ends a page at its limit and skips changes that do not match the filter', async () => {
    const days = daysBetween('2026-05-05', '2026-05-07')
    await storePrices(sql, [...days.map((day) => dailyPrice('PSV', day, 30)), dailyPrice('Brent', '2026-05-07', 70)])
    const store = changeStore(sql)
    const first = await store.after(position, { limit: 2 })
    expect(first.changes.map(({ day }) => day)).toEqual(['2026-05-05', '2026-05-06'])
    expect(first.next).toBe(position + 2)
    const filtered = await store.after(position, { datasets: ['brent'], limit: 2 })
    expect(filtered.changes).toMatchObject([{ dataset: 'brent' }])
    await recorded()
  })
})

it('retention of the change feed is 90 days, leaves no gap in the positions kept, and reports the last removed one', async () => {
  const store = changeStore(sql)
  const before = await store.log()
  await removeOldChanges(sql, AT.add({ hours: 24 * 89 }))
  const [first, ...rest] = (await store.after(0, { limit: 1_000 })).changes
  const { removed } = await store.log()
  expect(removed).toBeGreaterThan(0)
  expect(first).toMatchObject({ position: removed + 1 })
  expect(rest.map((change) => change.position)).toEqual(rest.map((_, i) => removed + 2 + i))

  await removeOldChanges(sql, AT.add({ hours: 24 * 365 }))
  expect(await store.log()).toMatchObject({ removed: before.position, position: before.position })
  await storePrices(sql, [dailyPrice('TTF', '2026-05-08', 30)])
  expect(await recorded()).toMatchObject([{ position: before.position + 1 }])
})
