/** Concurrent refreshes by several processes, on a real server. Their results are checked in the tests of the aggregates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Database } from '../../src/store/database.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { hasTimescale, needsTimescale, type TestDatabase, testDatabase } from '../support/database.ts'
import { type PlainServer, startPlainServer, untilBlockedByLock } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

describe.skipIf(!hasPostgres)(needsPostgres('concurrent refreshes'), () => {
  let server: PlainServer
  let database: Database

  beforeAll(async () => {
    server = await startPlainServer({ poolSize: 4 })
    database = server.database
    await database.sql.unsafe(`
      create table refreshed (aggregate text not null);
      create or replace procedure refresh_continuous_aggregate(aggregate regclass, window_start timestamptz, window_end timestamptz)
      language plpgsql as 'begin insert into refreshed values (aggregate::text); commit; end'`)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** Holds the refresh lock while `meanwhile` runs. */
  async function whileAnotherRefreshes(meanwhile: () => Promise<void>): Promise<void> {
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('refresh_aggregates'))`
      await meanwhile()
    })
  }

  async function takeRefreshed(): Promise<string[]> {
    const rows = await database.sql<{ aggregate: string }[]>`delete from refreshed returning aggregate`
    return rows.map(({ aggregate }) => aggregate)
  }

  it('run one after the other, each from fine to coarse', async () => {
    let waiting: Promise<void> | undefined
    await whileAnotherRefreshes(async () => {
      waiting = refreshAggregates(database.sql)
      await untilBlockedByLock(database)
      expect(await takeRefreshed()).toEqual([])
    })
    await waiting
    const aggregates = ['zone_prices_hourly', 'zone_prices_daily', 'zone_prices_day_parts', 'zone_prices_yearly']
    expect(await takeRefreshed()).toEqual(aggregates)
    await Promise.all([refreshAggregates(database.sql), refreshAggregates(database.sql)])
    expect(await takeRefreshed()).toEqual([...aggregates, ...aggregates])
  })

  it('do not block the next one when they fail', async () => {
    await database.sql`alter table zone_prices_daily rename to elsewhere`
    await expect(refreshAggregates(database.sql)).rejects.toThrow('zone_prices_daily')
    await database.sql`alter table elsewhere rename to zone_prices_daily`
    await takeRefreshed()
    await refreshAggregates(database.sql)
    expect(await takeRefreshed()).toHaveLength(4)
  })

  it('do not block the next one when their connection is lost', async () => {
    await whileAnotherRefreshes(async () => {
      const lost = expect(refreshAggregates(database.sql)).rejects.toThrow()
      await untilBlockedByLock(database)
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`
      await lost
    })
    await refreshAggregates(database.sql)
    expect(await takeRefreshed()).toHaveLength(4)
  })
})

describe.runIf(hasTimescale)(needsTimescale('a refresh of several years'), () => {
  const DAYS = ['2020-02-29', '2022-10-30', '2026-03-29']
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
    await storePrices(
      db.database.sql,
      DAYS.map((day) => zoneDay('nord', day, 60, (hour) => hour)),
    )
    // As after a move, or a migration that recreates an aggregate: no change is recorded, and nothing is refreshed.
    await db.database.sql`update change_log set refreshed = position`
  })
  afterAll(() => db.stop())

  const spans = () => db.database.sql.unsafe(queryText('price_chunks_list_unrefreshed'))
  const days = () =>
    db.database.sql`select market_day from zone_prices_daily where minutes = expected_minutes order by 1`

  it('covers every chunk not yet included, each changed chunk, and always the latest one', async () => {
    expect(await spans()).toHaveLength(DAYS.length)
    await refreshAggregates(db.database.sql)
    expect(await days()).toEqual(DAYS.map((market_day) => ({ market_day })))
    expect(await spans()).toHaveLength(1)
    await storePrices(db.database.sql, [zoneDay('nord', '2020-02-29', 60, (hour) => -hour)])
    expect(await spans()).toHaveLength(2)
  })

  it('stores hours in chunks with the same ranges as those of the intervals', async () => {
    const [hours] = await db.database.sql<{ name: string }[]>`
      select materialization_hypertable_name as name from timescaledb_information.continuous_aggregates
      where view_name = 'zone_prices_hourly'`
    const chunks = (hypertable = '') => db.database.sql`
      select range_start, range_end from timescaledb_information.chunks where hypertable_name = ${hypertable} order by 1`
    expect(await chunks(hours?.name)).toEqual(await chunks('price_intervals'))
  })

  it('stops between two statements, and the next refresh completes it', async () => {
    const stop = AbortSignal.abort('the service stops')
    await storePrices(db.database.sql, [zoneDay('sud', '2022-10-30', 60, (hour) => hour)])
    await expect(refreshAggregates(db.database.sql, stop)).rejects.toBe('the service stops')
    expect(await spans()).toHaveLength(3)
    await refreshAggregates(db.database.sql)
    expect(await days()).toHaveLength(DAYS.length + 1)
  })
})
