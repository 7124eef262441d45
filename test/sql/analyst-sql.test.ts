/** The bounds of analysts' statements on a real server, whose clock can interrupt them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANALYST_LIMITS, analystSql, StatementRefused, TooManyStatements } from '../../src/store/analyst-sql.ts'
import type { Database } from '../../src/store/database.ts'
import { applyRoles, setRolePassword } from '../../src/store/roles.ts'
import { ANALYST_ATTACKS } from '../support/analyst-attacks.ts'
import { type PlainServer, startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'

describe.skipIf(!hasPostgres)(needsPostgres('statements of analysts'), () => {
  let server: PlainServer
  let owner: Database
  let url: string

  beforeAll(async () => {
    server = await startPlainServer({ poolSize: 2 })
    owner = server.database
    await applyRoles(owner.sql)
    await setRolePassword(owner.sql, 'analyst', 'analyst-password')
    url = server.url('analyst', 'analyst-password')
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const sessionsOfAnalysts = async () =>
    (await owner.sql`select count(*)::int as n from pg_stat_activity where usename = 'analyst'`)[0]?.n

  it('run as the role analyst, read-only', async () => {
    const { columns, rows } = await analystSql(url).run(`select current_user, current_setting('transaction_read_only')`)
    expect(columns.map(({ name }) => name)).toEqual(['current_user', 'current_setting'])
    expect(rows).toEqual([['analyst', 'on']])
  })

  it('run as the role analyst also where somebody else logs in', async () => {
    const { rows } = await analystSql(server.superuserUrl).run('select current_user')
    expect(rows).toEqual([['analyst']])
    await expect(analystSql(server.superuserUrl).run('select * from public.api_keys')).rejects.toThrow(StatementRefused)
  })

  it('are interrupted when their time is up, and leave no session', async () => {
    const short = analystSql(url, { ...ANALYST_LIMITS, seconds: 1 })
    await expect(short.run('select count(*) from calendar_hours a, calendar_hours b')).rejects.toThrow(
      /takes longer than 1 second/,
    )
    await expect.poll(sessionsOfAnalysts).toBe(0)
  })

  it('are cut when they return more than their bytes', async () => {
    const small = analystSql(url, { ...ANALYST_LIMITS, bytes: 1024 * 1024 })
    await expect(small.run(`select repeat('x', 50000000)`)).rejects.toThrow(/returns more than 1 MiB/)
    await expect(small.run(`select repeat('x', 1000) from generate_series(1, 10000)`)).rejects.toThrow(
      /returns more than 1 MiB/,
    )
    await expect.poll(sessionsOfAnalysts).toBe(0)
  })

  it('are cut at their rows', async () => {
    const { rows, truncated } = await analystSql(url, { ...ANALYST_LIMITS, rows: 3 }).run(
      'select generate_series(1, 1000000)',
    )
    expect({ rows, truncated }).toEqual({ rows: [['1'], ['2'], ['3']], truncated: true })
  })

  it('run a few at a time', async () => {
    const two = analystSql(url, { ...ANALYST_LIMITS, atATime: 2 })
    const results = await Promise.allSettled([1, 2, 3].map((n) => two.run(`select ${n}`)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: expect.any(TooManyStatements) })
    expect((await two.run('select 4')).rows).toEqual([['4']])
  })

  it.each(ANALYST_ATTACKS.map((attack) => [attack.name, attack] as const))('cannot: %s', async (_, { statements }) => {
    await expect(analystSql(url).run(statements)).rejects.toThrow(StatementRefused)
  })
})
