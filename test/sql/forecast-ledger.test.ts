/** Both ledgers in the database: append-only, chronological, chained; stored values equal recomputed ones. */
import { beforeAll, describe, expect, it } from 'vitest'
import { FORECAST_ASSETS } from '../../src/market/forecast-scope.ts'
import {
  type AnyLedgerRow,
  FIRST_PREVIOUS_HASH,
  type HourlyLedgerRow,
  type LedgerRow,
  LedgerVerifier,
} from '../../src/market/ledger.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { ledgerRows, scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { recentForecasts } from '../../src/store/forecast-monitor.ts'
import { forecastStore } from '../../src/store/forecasts.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  // Both change days are within the 180 days of the first issue; its first target is one of them.
  await storePrices(sql, [zoneDay('nazionale', '2026-03-28', 60, () => 100)])
  await refreshAggregates(sql)
})

const rows = () => Array.fromAsync(ledgerRows(sql))
const hourRows = () => Array.fromAsync(ledgerRows(sql, 'hourly_forecasts'))
const faults = (all: AnyLedgerRow[]) => {
  const verifier = new LedgerVerifier({ isWhole: true })
  return all.flatMap((row) => verifier.check(row) ?? [])
}
const span = (from: string, to: string) => ({
  from: Temporal.PlainDate.from(from),
  to: Temporal.PlainDate.from(to),
  horizonDays: undefined,
})

describe('an issue', () => {
  it('is entered whole, and its hashes can be recomputed', async () => {
    const count = await seedIssue(sql, { asset: 'PUN', infoDate: '2026-03-28', issuedAt: '2026-03-28T11:02:11.987Z' })
    expect(count).toBe(360)
    const all = await rows()
    expect(all).toHaveLength(360)
    expect(all[0]).toMatchObject({ sequence: 1, previousHash: FIRST_PREVIOUS_HASH, issuedAt: '2026-03-28T11:02:11Z' })
    expect(faults(all)).toEqual([])
  })

  it('is entered once for the same info date and inputs', async () => {
    const again = { asset: 'PUN', infoDate: '2026-03-28', issuedAt: '2026-03-28T15:00:00Z' } as const
    expect(await seedIssue(sql, { ...again, p50: () => 1 })).toBe(0)
    expect(await rows()).toHaveLength(360)
  })

  it('is entered again for other inputs, without a benchmark, and becomes the one shown', async () => {
    const midday = { asset: 'TTF', infoDate: '2026-03-27', issuedAt: '2026-03-28T12:00:00Z', days: 4 } as const
    const evening = { ...midday, issuedAt: '2026-03-28T18:05:00Z', days: 3, inputs: 'cd'.repeat(32) }
    expect(await seedIssue(sql, midday)).toBe(6) // the first of the days has already begun
    expect(await seedIssue(sql, { ...evening, p50: () => 105 })).toBe(2)
    expect(await seedIssue(sql, { ...evening, p50: () => 106 })).toBe(0)
    const all = await rows()
    expect(all.slice(-2).map(({ role, p50 }) => [role, p50])).toEqual(Array(2).fill(['published', 105]))
    expect(faults(all)).toEqual([])
    const store = forecastStore(sql)
    expect(await store.latestIssue('issued', 'TTF')).toMatchObject({ points: [{ p50: 105 }, { p50: 105 }] })
    const shown = await store.records('issued', 'TTF', span('2026-03-29', '2026-03-31'), 'all')
    expect(shown.map(({ p50 }) => p50)).toEqual([105, 105, 100.4])
  })

  it('leaves out days that have begun', async () => {
    // 23:30 in Rome on the change day, 22:30 UTC: the next day begins at 22:00 UTC.
    await storePrices(sql, [dailyPrice('PSV', '2026-03-25', 30)])
    await seedIssue(sql, { asset: 'PSV', infoDate: '2026-03-25', issuedAt: '2026-03-29T22:30:00Z', days: 7 })
    const targets = (await rows()).filter(({ asset, role }) => asset === 'PSV' && role === 'published')
    expect(targets.map(({ targetDate }) => targetDate)).toEqual(['2026-03-31', '2026-04-01'])
  })

  it('leaves out days of which a price has been published, with gaps or not', async () => {
    await storePrices(sql, [zoneDay('nazionale', '2026-03-31', 60, () => 90)])
    await storePrices(sql, [zoneDay('nazionale', '2026-04-02', 60, (hour) => (hour === 4 ? undefined : 90))])
    await seedIssue(sql, { asset: 'PUN', infoDate: '2026-03-31', issuedAt: '2026-03-30T11:00:00Z', days: 5 })
    const targets = (await rows()).filter(({ asset, infoDate }) => asset === 'PUN' && infoDate === '2026-03-31')
    const days = new Set(['2026-04-03', '2026-04-04', '2026-04-05'])
    expect(new Set(targets.map(({ targetDate }) => targetDate))).toEqual(days)
  })

  it('is refused as a whole if it goes back in time or has invalid quantiles', async () => {
    const before = (await rows()).length
    const earlier = seedIssue(sql, { asset: 'TTF', infoDate: '2026-03-20', issuedAt: '2026-03-20T18:00:00Z' })
    await expect(earlier).rejects.toThrow('which is after')
    const next = { asset: 'TTF', infoDate: '2026-04-01', issuedAt: '2026-04-01T18:00:00Z' } as const
    const invalid = seedIssue(sql, { ...next, p50: (day) => (day === 50 ? Number.NaN : 30) })
    await expect(invalid).rejects.toThrow()
    expect(await rows()).toHaveLength(before)
  })

  it('keeps the chain intact when two are entered concurrently', async () => {
    const at = '2026-04-02T18:00:00Z'
    const issues = (['PSV', 'TTF'] as const).map((asset) =>
      seedIssue(sql, { asset, infoDate: '2026-04-02', issuedAt: at }),
    )
    await Promise.all(issues)
    const all = await rows()
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1))
    expect(faults(all)).toEqual([])
  })
})

it('the ledger shows one changed digit, one row taken out, and two rows exchanged', async () => {
  const all = await rows()
  const changed = all.with(99, { ...(all[99] as LedgerRow), p50: (all[99] as LedgerRow).p50 + 0.0001 })
  expect(faults(changed)).toMatchObject([{ sequence: 100, problem: /content does not give its hash/ }])
  expect(faults(all.toSpliced(99, 1))).toMatchObject([{ sequence: 101, problem: 'row 100 is missing before it' }])
  const exchanged = all.with(99, all[100] as LedgerRow).with(100, all[99] as LedgerRow)
  expect(faults(exchanged).map(({ sequence }) => sequence)).toContain(101)
})

describe('a score', () => {
  const errorsOf = (asset: 'PUN' | 'PSV', from: string, to: string) =>
    forecastStore(sql).errors('issued', asset, span(from, to), { basis: 'issued' })

  it('keeps the price known at scoring, whatever corrections follow', async () => {
    const store = forecastStore(sql)
    await storePrices(sql, [zoneDay('nazionale', '2026-03-29', 60, () => 110)])
    await refreshAggregates(sql)
    const at = Temporal.Instant.from('2026-03-30T12:00:00Z')
    expect(await scoreForecasts(sql, 'PUN', at)).toBe(2)
    expect(await scoreForecasts(sql, 'PUN', at)).toBe(0)
    await storePrices(sql, [zoneDay('nazionale', '2026-03-29', 60, () => 500)])
    await refreshAggregates(sql)
    await scoreForecasts(sql, 'PUN', at)
    const [record] = await store.records('issued', 'PUN', span('2026-03-29', '2026-03-29'), 'all')
    expect(record).toMatchObject({ targetDate: '2026-03-29', horizonDays: 1, p50: 100.1, actual: 110 })
  })

  it('computes errors as defined, and those of the benchmark on the same days', async () => {
    const errors = await errorsOf('PUN', '2026-03-29', '2026-03-31')
    // 29 March: forecast 100.1, actual 110, benchmark 103.1; 31 March: forecast 100.3, actual 90, benchmark 103.3.
    expect(errors?.n).toBe(2)
    expect(errors?.mae).toBeCloseTo((9.9 + 10.3) / 2, 9)
    expect(errors?.bias).toBeCloseTo((-9.9 + 10.3) / 2, 9)
    expect(errors?.mape).toBeCloseTo((9.9 / 110 + 10.3 / 90) / 2, 9)
    expect(errors?.coverage80).toBe(0.5) // 90 is just below the p10 of 31 March, 90.3
    const pinball = (y: number, m: number) =>
      [
        [m - 10, 0.1],
        [m, 0.5],
        [m + 12, 0.9],
      ].reduce((sum, [q = 0, level = 0]) => sum + Math.max(level * (y - q), (level - 1) * (y - q)) / 3, 0)
    expect(errors?.pinball).toBeCloseTo((pinball(110, 100.1) + pinball(90, 100.3)) / 2, 9)
    expect(errors?.benchmark).toMatchObject({ name: 'walk', mae: expect.closeTo((6.9 + 13.3) / 2, 9) })
    expect(errors?.rmae).toBeCloseTo(20.2 / 20.2, 9)
  })

  it('excludes prices near zero from the MAPE and counts them', async () => {
    await storePrices(sql, [dailyPrice('PSV', '2026-04-03', 0.4), dailyPrice('PSV', '2026-04-04', -20)])
    await scoreForecasts(sql, 'PSV', Temporal.Instant.from('2026-04-05T12:00:00Z'))
    expect(await errorsOf('PSV', '2026-04-03', '2026-04-04')).toMatchObject({
      n: 2,
      mapeLeftOut: 1,
      mape: expect.closeTo(120.2 / 20, 9),
    })
  })

  it('is available to operators for each asset with forecasts', async () => {
    const recentAt = (at: string) => recentForecasts(forecastStore(sql), FORECAST_ASSETS, Temporal.Instant.from(at))
    const recent = await recentAt('2026-04-05T12:00:00Z')
    expect(recent.map(({ chain, code, errors }) => [chain, code, errors?.n])).toEqual([
      ['issued', 'PUN', 2],
      ['issued', 'PSV', 2],
      ['issued', 'TTF', undefined],
    ])
    const [pun] = recent
    expect(pun?.issuedAt.toString()).toBe('2026-03-30T11:00:00Z')
    expect(await errorsOf('PUN', '2026-03-29', '2026-03-31')).toMatchObject(pun?.errors as object)
    expect(pun?.errors?.rmae).toBeCloseTo(20.2 / 20.2, 9)
    expect(await recentAt('2027-04-05T12:00:00Z')).toEqual([])
  })

  it('is available to analysts by model and horizon', async () => {
    const found = await sql`
      select role, horizon_days, n, mae, rmae from forecast_accuracy
      where chain = 'issued' and asset = 'PUN' and horizon_days = 1 order by role desc`
    expect([...found]).toMatchObject([
      { role: 'published', n: 1, mae: expect.closeTo(9.9, 9), rmae: expect.closeTo(9.9 / 6.9, 9) },
      { role: 'benchmark', n: 1, mae: expect.closeTo(6.9, 9) },
    ])
  })
})

describe('an hourly issue', () => {
  beforeAll(async () => {
    await storePrices(sql, [zoneDay('nord', '2026-03-27', 60, () => 100), zoneDay('nord', '2026-03-28', 60, () => 100)])
    await refreshAggregates(sql)
  })

  it('is entered whole, with 23 hours on the change day, and its hashes can be recomputed', async () => {
    const issue = { zone: 'nord', infoDate: '2026-03-28', issuedAt: '2026-03-27T12:02:11.987Z' } as const
    expect(await seedHours(sql, { ...issue, p50: (hour) => 100 + hour / 3 })).toBe(16)
    const all = await hourRows()
    expect(all[0]).toMatchObject({ sequence: 1, previousHash: FIRST_PREVIOUS_HASH, issuedAt: '2026-03-27T12:02:11Z' })
    expect(all[0]).toMatchObject({ zone: 'nord', targetDate: '2026-03-29', horizonDays: 1, inputs: 'prices-only' })
    expect(all.slice(0, 2).map(({ p50 }) => p50.length)).toEqual([23, 24])
    expect(all[0]?.p50[0]).toBe(100.3333)
    expect(faults(all)).toEqual([])
  })

  it('is entered once for the same inputs, and again without a benchmark for others', async () => {
    const again = { zone: 'nord', infoDate: '2026-03-28', issue: 'evening', issuedAt: '2026-03-27T18:00:00Z' } as const
    expect(await seedHours(sql, again)).toBe(0)
    expect(await seedHours(sql, { ...again, inputs: 'without-neighbours', inputsSha256: 'cd'.repeat(32) })).toBe(8)
    const last = (await hourRows()).slice(-8)
    expect(new Set(last.map(({ role, issue, inputs }) => `${role} ${issue} ${inputs}`))).toEqual(
      new Set(['published evening without-neighbours']),
    )
  })

  it('leaves out days that have begun or been published', async () => {
    await storePrices(sql, [zoneDay('sici', '2026-03-30', 60, () => 100)])
    expect(await seedHours(sql, { zone: 'sici', infoDate: '2026-03-28', issuedAt: '2026-03-28T12:00:00Z' })).toBe(12)
    expect(await seedHours(sql, { zone: 'sard', infoDate: '2026-03-28', issuedAt: '2026-03-29T22:30:00Z' })).toBe(12)
  })

  it.each([
    ['too few hours', { p10: [1], p50: [2], p90: [3] }],
    ['crossing quantiles', { p10: Array(24).fill(3), p50: Array(24).fill(2), p90: Array(24).fill(4) }],
  ])('is refused as a whole for %s', async (_, hours) => {
    const before = (await hourRows()).length
    const model = { role: 'published', model: 'ridge', version: '1', inputs: 'everything' }
    const day = { ...model, targetDate: '2026-04-03', ...hours }
    const call = sql`select issue_hourly_forecasts('issued', 'nord', 'midday', '2026-04-01T12:00Z', '2026-04-02', ${'ef'.repeat(32)}, ${sql.json([day])})`
    await expect(call).rejects.toThrow('are not those of its day, or cross')
    expect(await hourRows()).toHaveLength(before)
  })

  it('forms a chain separate from the daily one, and both can be verified together', async () => {
    const verifier = new LedgerVerifier({ isWhole: true })
    expect([...(await hourRows()), ...(await rows())].flatMap((row) => verifier.check(row) ?? [])).toEqual([])
    expect(verifier.heads()).toHaveLength(2)
  })
})

it('the hourly ledger reveals one changed hour and one removed row', async () => {
  const all = await hourRows()
  const third = all[2] as HourlyLedgerRow
  const changed = all.with(2, { ...third, p90: third.p90.with(7, (third.p90[7] as number) + 0.0001) })
  expect(faults(changed)).toMatchObject([{ chain: 'hours issued', sequence: 3, problem: /content does not give/ }])
  expect(faults(all.toSpliced(2, 1))).toMatchObject([{ sequence: 4, problem: 'row 3 is missing before it' }])
})

describe('an hourly score', () => {
  const recordsOf = (zone: string, day: string, horizon: number | null = null, issue: string | null = null) =>
    sql`select * from hourly_forecast_records('live', 'issued', ${zone}, ${day}, ${day}, ${horizon}, ${issue})`

  it('keeps the hours as first known, 23 on the March change day', async () => {
    await storePrices(sql, [zoneDay('nord', '2026-03-29', 60, (hour) => 90 + hour)])
    await refreshAggregates(sql)
    const at = Temporal.Instant.from('2026-03-28T12:30:00Z')
    expect(await scoreForecasts(sql, 'hours', at)).toBe(1)
    expect(await scoreForecasts(sql, 'hours', at)).toBe(0)
    await storePrices(sql, [zoneDay('nord', '2026-03-29', 60, () => 500)])
    await refreshAggregates(sql)
    await scoreForecasts(sql, 'hours', at)
    const [record] = await recordsOf('nord', '2026-03-29')
    expect(record?.actual).toEqual(Array.from({ length: 23 }, (_, i) => 91 + i))
    expect(record).toMatchObject({ issue: 'evening', inputs: 'without-neighbours', benchmark: 'same-hour' })
    expect((await recordsOf('nord', '2026-03-29', 1, 'midday'))[0]).toMatchObject({ issue: 'midday' })
    expect(await recordsOf('nord', '2026-03-29', 2)).toHaveLength(0)
  })

  it('counts 25 hours on the October change day and ignores a day with gaps', async () => {
    await storePrices(sql, [zoneDay('cala', '2026-10-24', 60, () => 100)])
    await refreshAggregates(sql)
    await seedHours(sql, { zone: 'cala', infoDate: '2026-10-24', issuedAt: '2026-10-23T12:00:00Z' })
    await storePrices(sql, [
      zoneDay('cala', '2026-10-25', 60, (hour) => 101 + hour),
      zoneDay('cala', '2026-10-26', 60, (hour) => (hour === 5 ? undefined : 100)),
    ])
    await refreshAggregates(sql)
    expect(await scoreForecasts(sql, 'hours', Temporal.Instant.from('2026-10-24T12:00:00Z'))).toBe(1)
    const hours = await sql`
      select hour, starts_at, error, in_band, pinball from analytics.hourly_forecast_errors
      where zone = 'cala' and role = 'published' order by hour`
    expect(hours.map(({ starts_at }) => String(starts_at))).toEqual(
      Array.from({ length: 25 }, (_, i) => Temporal.Instant.from('2026-10-24T22:00:00Z').add({ hours: i }).toString()),
    )
    expect(hours[3]).toMatchObject({ hour: 4, error: -1, in_band: true })
    const [scores] =
      await sql`select * from analytics.hourly_forecast_scores where zone = 'cala' and role = 'published'`
    expect(scores).toMatchObject({ hours: 25, mae: 1, bias: -1, coverage_80: 1, benchmark_mae: 2, rmae: 0.5 })
    expect(faults(await hourRows())).toEqual([])
  })
})

it.each(
  ['forecasts', 'forecast_actuals', 'hourly_forecasts', 'hourly_forecast_actuals'].flatMap((table) => [
    ['update', `update ${table} set chain = chain`],
    ['delete', `delete from ${table}`],
    ['truncate', `truncate ${table}`],
  ]),
)('the ledger refuses to %s (%s)', async (verb, statement) => {
  await expect(sql.unsafe(statement)).rejects.toThrow(`append-only: ${verb} refused`)
})
