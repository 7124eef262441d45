/** The test databases on a server (DATABASE_URL): separate for each test file, and none left behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { hasPostgres, needsPostgres, serverFolder, startNewServer } from '../support/postgres-cluster.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { createDatabase, type DatabaseServer, dropRunDatabases, prepareServer } from '../support/server-databases.ts'
import { applyRolesOnServer, removeRoles } from '../support/server-roles.ts'

it('DATABASE_URL is not passed to any test', () => {
  expect(process.env.DATABASE_URL).toBeUndefined()
})

describe.skipIf(!hasPostgres)(needsPostgres('two test runs on one server'), () => {
  const stack = new AsyncDisposableStack()
  let administrator: Database
  let runs: [DatabaseServer, DatabaseServer]
  beforeAll(async () => {
    const { superuserUrl } = stack.use(await startNewServer(stack.use(await serverFolder())))
    administrator = stack.use(connectDatabase({ url: superuserUrl, poolSize: 1 }))
    await administrator.sql`create role energy_api login`
    runs = [await prepareServer(superuserUrl), await prepareServer(superuserUrl)]
  })
  afterAll(() => stack.disposeAsync())

  const databases = async () =>
    (await administrator.sql<{ name: string }[]>`select datname as name from pg_database order by 1`).map(
      ({ name }) => name,
    )
  const roles = async () =>
    (
      await administrator.sql<{ name: string }[]>`
        select rolname as name from pg_roles where rolname ~ '^(analyst|energy)' order by 1`
    ).map(({ name }) => name)

  it('have separate databases and shared roles', async () => {
    const counts = []
    for (const run of [runs[0], runs[0], runs[1]]) {
      const { url } = await createDatabase(run)
      const { sql } = stack.use(connectDatabase({ url, poolSize: 1 }))
      await storePrices(sql, [zoneDay('nord', '2026-03-29', 60, (hour) => hour)])
      counts.push(...(await sql`select count(*) as hours from price_intervals`))
      await applyRolesOnServer(run.url, sql)
    }
    expect(counts).toEqual([{ hours: 23 }, { hours: 23 }, { hours: 23 }])
    expect(await roles()).toEqual(['analyst', 'energy_api', 'energy_monitor', 'energy_worker'])
    expect(await databases()).toHaveLength(4 + 2 + 3)
  })

  it('remove their own databases, even in use, and leave those of the other run', async () => {
    await dropRunDatabases(runs[0])
    await removeRoles(runs[0].url)
    expect((await databases()).filter((name) => name.startsWith(runs[0].run))).toEqual([])
    expect((await databases()).filter((name) => name.startsWith(runs[1].run))).toHaveLength(2)
    expect(await roles()).toContain('analyst')

    await dropRunDatabases(runs[1])
    await removeRoles(runs[1].url)
    expect(await databases()).toEqual(['energy', 'postgres', 'template0', 'template1'])
    expect(await roles()).toEqual(['energy_api'])
  })
})
