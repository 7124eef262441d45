import path from 'node:path'
import type postgres from 'postgres'
import { expect, test } from 'vitest'
import { startEngine } from '../../../src/platform/engine/engine.ts'
import { connectTo, temporaryFolder } from './engine-fixture.ts'

/** Both change days of 2026, so that a day in Rome has 23, 24 or 25 hours. */
const SPANS = [
  ['2026-03-27T23:00Z', '2026-03-30T22:00Z'],
  ['2026-10-23T22:00Z', '2026-10-26T23:00Z'],
] as const

test('hypertables and continuous aggregates in Europe/Rome work, also after a restart', async () => {
  const { folder, remove } = await temporaryFolder()
  const dataDir = path.join(folder, 'data')

  const first = await startEngine({ dataDir })
  const before = connectTo(first)
  await createPrices(before)
  await insertHours(before, SPANS[0])
  expect(await hoursOfDays(before)).toEqual({ '2026-03-28': 24, '2026-03-29': 23, '2026-03-30': 24 })
  await before.end()
  await first.stop()

  const second = await startEngine({ dataDir })
  const after = connectTo(second)
  await insertHours(after, SPANS[1])
  expect(await hoursOfDays(after)).toEqual({
    '2026-03-28': 24,
    '2026-03-29': 23,
    '2026-03-30': 24,
    '2026-10-24': 24,
    '2026-10-25': 25,
    '2026-10-26': 24,
  })
  expect(await after`select count(*)::int as chunks from timescaledb_information.chunks`).toEqual([{ chunks: 4 }])
  await after.end()
  await second.stop()
  await remove()
})

async function createPrices(sql: postgres.Sql): Promise<void> {
  await sql`create table prices (starts_at timestamptz not null, price_eur_mwh double precision not null)`
  await sql`select create_hypertable('prices', by_range('starts_at', interval '7 days'))`
  await sql`
    create materialized view daily_prices with (timescaledb.continuous) as
    select time_bucket('1 day', starts_at, 'Europe/Rome') as day, count(*) as hours
    from prices group by 1 with no data`
}

async function insertHours(sql: postgres.Sql, [from, to]: readonly [string, string]): Promise<void> {
  await sql`insert into prices select hour, 100 from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 hour', '1 hour') as hour`
  await sql`call refresh_continuous_aggregate('daily_prices', null, null)`
}

async function hoursOfDays(sql: postgres.Sql): Promise<Record<string, number>> {
  const rows =
    await sql`select to_char(day at time zone 'Europe/Rome', 'YYYY-MM-DD') as day, hours::int from daily_prices order by 1`
  return Object.fromEntries(rows.map((row) => [row.day, row.hours]))
}
