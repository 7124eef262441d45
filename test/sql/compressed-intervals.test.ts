/** Old intervals are compressed; later writes to them work as for any other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Sql } from '../../src/store/database.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { hasTimescale, needsTimescale, testDatabase } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

let sql: Sql
/** Includes change days; the last day is in a separate chunk. */
const DAYS = ['2020-03-28', '2020-03-29', '2020-10-25', '2026-10-25']

/** State of each chunk in chronological order; `mixed`: compressed, with uncompressed rows as well. */
const state = async () => {
  const rows = await sql<{ state: string }[]>`
    select case c.status when 0 then 'loose' when 1 then 'compressed' else 'mixed' end as state
    from _timescaledb_catalog.chunk as c
    join timescaledb_information.chunks as i on i.chunk_schema = c.schema_name and i.chunk_name = c.table_name
    where i.hypertable_name = 'price_intervals' order by i.range_start`
  return rows.map((row) => row.state)
}
const all = () => sql`select * from price_intervals order by zone, starts_at`
const day = (zone: string, market_day: string) =>
  sql`select ordinal, price_eur_mwh, source from price_intervals where zone = ${zone} and market_day = ${market_day} order by starts_at`

describe.runIf(hasTimescale)(needsTimescale('old intervals'), () => {
  const stack = new AsyncDisposableStack()
  beforeAll(async () => {
    const { url } = stack.use(await testDatabase())
    // A single session, so that its settings persist.
    sql = stack.use(connectDatabase({ url, poolSize: 1 })).sql
    await storePrices(
      sql,
      DAYS.flatMap((day) => (['nazionale', 'nord'] as const).map((zone) => zoneDay(zone, day, 60, (hour) => hour / 3))),
    )
    await refreshAggregates(sql)
    // The default of 100,000 is exceeded by a correction of years: writing prices must not be limited by it.
    await sql`set timescaledb.max_tuples_decompressed_per_dml_transaction = 5`
  })
  afterAll(() => stack.disposeAsync())

  it('are compressed, unlike newer ones, and return the same rows', async () => {
    const before = await all()
    await compressOldChunks(sql, '2026-08-23')
    expect(await state()).toEqual(['compressed', 'compressed', 'loose'])
    expect(await all()).toEqual(before)
    // In a single transaction, the first chunk would be locked for readers until the last is compressed.
    const [transactions] = await sql<{ count: number }[]>`
      select count(distinct xmin::text)::integer as count from _timescaledb_catalog.chunk where compressed_chunk_id is not null`
    expect(transactions).toEqual({ count: 2 })
    await compressOldChunks(sql, '2026-08-23')
    expect(await all()).toEqual(before)
  })

  it('accept a correction that keeps the replaced value and updates the aggregates', async () => {
    const corrected = await storePrices(sql, [
      zoneDay('nord', '2020-10-25', 60, (hour) => (hour === 3 ? -7 : hour / 3)),
    ])
    expect(corrected).toMatchObject({ stored: 0, corrected: 1, unchanged: 24 })
    expect((await day('nord', '2020-10-25')).map((row) => row.price_eur_mwh)).toEqual(
      Array.from({ length: 25 }, (_, i) => (i === 2 ? -7 : (i + 1) / 3)),
    )
    const revisions = await sql`select zone, market_day, ordinal, price_eur_mwh from price_interval_revisions`
    expect([...revisions]).toEqual([{ zone: 'nord', market_day: '2020-10-25', ordinal: 3, price_eur_mwh: 1 }])
    await refreshAggregates(sql)
    const [daily] =
      await sql`select hour_min_eur_mwh from zone_prices_daily where zone = 'nord' and market_day = '2020-10-25'`
    expect(daily).toEqual({ hour_min_eur_mwh: -7 })
  })

  it('accept a day at another resolution, replacing the stored one', async () => {
    await storePrices(sql, [zoneDay('nord', '2020-03-29', 15, (quarter) => quarter)])
    expect(await day('nord', '2020-03-29')).toHaveLength(92)
    expect(await day('nazionale', '2020-03-29')).toHaveLength(23)
  })

  it('accept a new day, refuse duplicates, and can be compressed again', async () => {
    await storePrices(sql, [zoneDay('nord', '2020-03-30', 60, (hour) => hour)])
    await expect(
      sql`insert into price_intervals select * from price_intervals where zone = 'nazionale' and market_day = '2020-03-28'`,
    ).rejects.toThrow(/duplicate key|unique/)
    expect(await state()).toContain('mixed')
    const before = await all()
    await compressOldChunks(sql, '2026-08-23')
    expect(await all()).toEqual(before)
    expect(await state()).toEqual(['compressed', 'compressed', 'loose'])
  })
})
