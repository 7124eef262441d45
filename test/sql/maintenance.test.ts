import { expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { analyzeIfGrown, vacuum } from '../../src/store/maintenance.ts'
import { databaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database

/** Summarises the BRIN index of the intervals; returns the number of block ranges that it lacked. */
async function unsummarisedRanges(): Promise<number> {
  const [found] = await sql<{ ranges: number }[]>`
    select sum(brin_summarize_new_values(indexrelid))::integer as ranges
    from pg_stat_user_indexes where indexrelname like '%price_intervals_starts_at_brin'`
  return found?.ranges ?? Number.NaN
}

/** The planner's row estimate for the zone, which depends on statistics only. */
async function expectedRows(zone: string): Promise<number> {
  const [plan] = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
    explain (format json) select * from price_intervals where zone = ${zone}`
  return plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

const days = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => Temporal.PlainDate.from(first).add({ days: i }).toString())

it('planner statistics are updated once after a large ingest, and not after one more day', async () => {
  await storePrices(sql, [zoneDay('nazionale', '2023-12-31', 60, () => 50)])
  expect(await analyzeIfGrown(sql)).toBe(false)

  const large = days('2024-01-01', 150).flatMap((day) =>
    (['nazionale', 'nord'] as const).map((zone) => zoneDay(zone, day, 15, (n) => n)),
  )
  await storePrices(sql, large)
  await refreshAggregates(sql)
  expect(await analyzeIfGrown(sql)).toBe(true)
  expect(await expectedRows('nord')).toBeGreaterThan(14_000)
  expect(await unsummarisedRanges()).toBe(0)
  expect(await analyzeIfGrown(sql)).toBe(false)

  await storePrices(sql, [zoneDay('nord', '2024-06-01', 60, () => 50)])
  expect(await analyzeIfGrown(sql)).toBe(false)
})

it('the nightly maintenance vacuums deleted rows and can be repeated', async () => {
  await sql`delete from price_intervals where zone = 'nord' and market_day > '2024-01-01'`
  await vacuum(sql)
  await vacuum(sql)
  expect(await expectedRows('nord')).toBeLessThan(500)
  expect(await analyzeIfGrown(sql)).toBe(false)
})
