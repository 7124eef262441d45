/** The ledger of hours: append-only, in time, chained apart from the daily one; scored by the hour over both change days. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AnyLedgerRow,
  FIRST_PREVIOUS_HASH,
  type HourlyLedgerRow,
  LedgerVerifier,
} from '../../src/market/ledger.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { ledgerRows, scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  await storePrices(sql, [zoneDay('nord', '2026-03-27', 60, () => 100), zoneDay('nord', '2026-03-28', 60, () => 100)])
  await refreshAggregates(sql)
})

const rows = async () => {
  const found: HourlyLedgerRow[] = []
  for await (const row of ledgerRows(sql, 'hourly_forecasts')) found.push(row)
  return found
}
const faults = (all: AnyLedgerRow[]) => {
  const verifier = new LedgerVerifier({ isWhole: true })
  return all.flatMap((row) => verifier.check(row) ?? [])
}

describe('an issue of hours', () => {
  it('is entered whole, 23 hours on the change day, and anybody finds the same hashes', async () => {
    const issue = { zone: 'nord', infoDate: '2026-03-28', issuedAt: '2026-03-27T12:02:11.987Z' } as const
    expect(await seedHours(sql, { ...issue, p50: (hour) => 100 + hour / 3 })).toBe(16)
    const all = await rows()
    expect(all[0]).toMatchObject({ sequence: 1, previousHash: FIRST_PREVIOUS_HASH, issuedAt: '2026-03-27T12:02:11Z' })
    expect(all[0]).toMatchObject({ zone: 'nord', targetDate: '2026-03-29', horizonDays: 1, inputs: 'prices-only' })
    expect(all.slice(0, 2).map(({ p50 }) => p50.length)).toEqual([23, 24])
    expect(all[0]?.p50[0]).toBe(100.3333)
    expect(faults(all)).toEqual([])
  })

  it('is entered once from the same inputs; from others again, without its benchmark', async () => {
    const again = { zone: 'nord', infoDate: '2026-03-28', issue: 'evening', issuedAt: '2026-03-27T18:00:00Z' } as const
    expect(await seedHours(sql, again)).toBe(0)
    expect(await seedHours(sql, { ...again, inputs: 'without-neighbours', inputsSha256: 'cd'.repeat(32) })).toBe(8)
    const last = (await rows()).slice(-8)
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
    const before = (await rows()).length
    const day = {
      role: 'published',
      model: 'ridge',
      version: '1',
      inputs: 'everything',
      targetDate: '2026-04-03',
      ...hours,
    }
    const call = sql`select issue_hourly_forecasts('issued', 'nord', 'midday', '2026-04-01T12:00Z', '2026-04-02', ${'ef'.repeat(32)}, ${sql.json([day])})`
    await expect(call).rejects.toThrow('are not those of its day, or cross')
    expect(await rows()).toHaveLength(before)
  })

  it('is a chain apart from the daily one, which both verify side by side', async () => {
    await seedIssue(sql, { asset: 'PUN', infoDate: '2026-03-28', issuedAt: '2026-03-28T11:02:11Z', days: 3 })
    const all: AnyLedgerRow[] = await rows()
    for await (const row of ledgerRows(sql)) all.push(row)
    const verifier = new LedgerVerifier({ isWhole: true })
    expect(all.flatMap((row) => verifier.check(row) ?? [])).toEqual([])
    expect(verifier.heads()).toHaveLength(2)
  })
})

describe('the ledger of hours', () => {
  it.each([
    ['update', 'update hourly_forecasts set p50 = p50'],
    ['delete', 'delete from hourly_forecasts'],
    ['truncate', 'truncate hourly_forecasts'],
    ['update', 'update hourly_forecast_actuals set source = source'],
    ['delete', 'delete from hourly_forecast_actuals'],
    ['truncate', 'truncate hourly_forecast_actuals'],
  ])('refuses %s (%s)', async (verb, statement) => {
    await sql`insert into hourly_forecast_actuals values ('issued', 'nord', '2020-01-01', '{1}', 'gme-mgp', '2020-01-01T12:00Z', '2020-01-01T12:00Z') on conflict do nothing`
    await expect(sql.unsafe(statement)).rejects.toThrow(`append-only: ${verb} refused`)
  })

  it('shows one changed hour and one row taken out', async () => {
    const all = await rows()
    const third = all[2] as HourlyLedgerRow
    const changed = all.with(2, { ...third, p90: third.p90.with(7, (third.p90[7] as number) + 0.0001) })
    expect(faults(changed)).toMatchObject([{ chain: 'hours issued', sequence: 3, problem: /content does not give/ }])
    expect(faults(all.toSpliced(2, 1))).toMatchObject([{ sequence: 4, problem: 'row 3 is missing before it' }])
  })
})

describe('a score of hours', () => {
  const recordsOf = (zone: string, day: string, horizon: number | null = null, issue: string | null = null) =>
    sql`select * from hourly_forecast_records('live', 'issued', ${zone}, ${day}, ${day}, ${horizon}, ${issue})`

  it('keeps the hours as they were known first, 23 of them in March', async () => {
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

  it('counts 25 hours in October, and a day with gaps not at all', async () => {
    await storePrices(sql, [zoneDay('cala', '2026-10-24', 60, () => 100)])
    await refreshAggregates(sql)
    await seedHours(sql, { zone: 'cala', infoDate: '2026-10-24', issuedAt: '2026-10-23T12:00:00Z' })
    const monday = zoneDay('cala', '2026-10-26', 60, () => 100)
    await storePrices(sql, [
      zoneDay('cala', '2026-10-25', 60, (hour) => 101 + hour),
      { ...monday, prices: monday.prices.with(4, undefined) },
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
    expect(faults(await rows())).toEqual([])
  })
})
