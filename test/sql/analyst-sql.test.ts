/** The limits of analysts' statements on a real server, whose timer can interrupt them. */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StatementRefused } from '../../src/store/analyst-connection.ts'
import { ANALYST_LIMITS, analystSql, TooManyStatements } from '../../src/store/analyst-sql.ts'
import type { Database } from '../../src/store/database.ts'
import { applyRoles, setRolePassword } from '../../src/store/roles.ts'
import { statementReader } from '../../src/store/statement-reader.ts'
import { ANALYST_ATTACKS, STATEMENT_ATTACKS } from '../support/analyst-attacks.ts'
import { type PlainServer, startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'

const KEY = 'key_a'
const reader = statementReader()
/** Accepts every statement, so that the database must reject it. */
const ACCEPT_ALL = { refusalOf: async () => undefined }
/** A row cannot be interrupted while it is computed; a million of them would take days. */
const UNINTERRUPTED = `
  with huge (x) as materialized (select (repeat('7', 60000))::numeric)
  select ${Array(8).fill('div(x * x, x + n)').join(', ')} from huge, generate_series(1, 1000000) n`

describe.skipIf(!hasPostgres)(needsPostgres('analyst statements'), () => {
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
    const settings = `select current_user, current_setting('transaction_read_only')`
    const { columns, rows } = await analystSql(url, { reader: ACCEPT_ALL }).run(settings, KEY)
    expect(columns.map(({ name }) => name)).toEqual(['current_user', 'current_setting'])
    expect(rows).toEqual([['analyst', 'on']])
  })

  it('run as the role analyst even if the connection logs in as another role', async () => {
    const { rows } = await analystSql(server.superuserUrl).run('select current_user', KEY)
    expect(rows).toEqual([['analyst']])
    const keys = analystSql(server.superuserUrl, { reader: ACCEPT_ALL }).run('select * from public.api_keys', KEY)
    await expect(keys).rejects.toThrow(/permission denied/)
  })

  it('are interrupted when their time is up, and leave no session', async () => {
    const short = analystSql(url, { limits: { ...ANALYST_LIMITS, seconds: 1 } })
    const long = short.run('select count(*) from calendar_hours a, calendar_hours b', KEY)
    await expect(long).rejects.toThrow(/takes longer than 1 second/)
    await expect.poll(sessionsOfAnalysts).toBe(0)
  })

  it('are refused when their result exceeds the byte limit', async () => {
    const small = analystSql(url, { limits: { ...ANALYST_LIMITS, bytes: 1024 * 1024 }, reader: ACCEPT_ALL })
    for (const statement of [`select repeat('x', 50000000)`, `select repeat('x', 1000) from generate_series(1, 10000)`])
      await expect(small.run(statement, KEY)).rejects.toThrow(/returns more than 1 MiB/)
    await expect.poll(sessionsOfAnalysts).toBe(0)
  })

  it('are truncated at the row limit', async () => {
    const three = analystSql(url, { limits: { ...ANALYST_LIMITS, rows: 3 } })
    const result = await three.run('select generate_series(1, 1000000)', KEY)
    expect(result).toMatchObject({ rows: [['1'], ['2'], ['3']], truncated: true })
  })

  it('are refused beyond the limit of concurrent statements', async () => {
    const two = analystSql(url, { limits: { ...ANALYST_LIMITS, atATime: 2 } })
    const results = await Promise.allSettled([1, 2, 3].map((n) => two.run(`select ${n}`, KEY)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: expect.any(TooManyStatements) })
    expect((await two.run('select 4', KEY)).rows).toEqual([['4']])
  })

  it('that cannot be interrupted keep their slot until the server has ended them', async () => {
    const overruns: string[] = []
    const limits = { ...ANALYST_LIMITS, seconds: 1, atATime: 1 }
    const one = analystSql(url, { limits, reader: ACCEPT_ALL, onOverrun: (key) => overruns.push(key) })
    await expect(one.run(UNINTERRUPTED, KEY)).rejects.toThrow(/takes longer than 1 second/)
    await expect(one.run('select 1', KEY)).rejects.toThrow(TooManyStatements)
    await expect.poll(sessionsOfAnalysts).toBe(0)
    await expect.poll(() => one.run('select 1', KEY).then(({ rows }) => rows, String)).toEqual([['1']])
    await expect(one.run('select count(*) from calendar_hours a, calendar_hours b', KEY)).rejects.toThrow(/longer than/)
    expect(overruns).toEqual([KEY])
  })

  it('of one key leave slots for other keys, even while being terminated', async () => {
    const four = analystSql(url, { limits: { ...ANALYST_LIMITS, seconds: 1 }, reader: ACCEPT_ALL })
    const stuck = await Promise.allSettled([1, 2, 3].map(() => four.run(UNINTERRUPTED, KEY)))
    expect(stuck.map((one) => one.status === 'rejected' && one.reason.name)).toEqual([
      'StatementRefused',
      'StatementRefused',
      'TooManyStatements',
    ])
    await expect(four.run('select 1', KEY)).rejects.toThrow('2 queries of this key are running')
    await expect.poll(() => four.run('select 1', 'key_b').then(({ rows }) => rows, String)).toEqual([['1']])
    await expect.poll(sessionsOfAnalysts).toBe(0)
  })

  it('can be terminated by a long session name, but not by a short one', async () => {
    const ends = async (name: string) =>
      (await analystSql(url, { reader: ACCEPT_ALL }).run(`select analytics.end_session('${name}')`, KEY)).rows[0]?.[0]
    const ofAName = async (application_name: string) => {
      const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection: { application_name } })
      await sql`select 1`
      return sql
    }
    const short = await ofAName('a name that others may know')
    const long = await ofAName(`a name ${'0123456789abcdef'.repeat(3)}`)
    const ended = expect(
      long`select count(*) from calendar_hours a, calendar_hours b, calendar_hours c`,
    ).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/)
    expect(await ends('a name that others may know')).toBe('f')
    expect(await ends(`a name ${'0123456789abcdef'.repeat(3)}`)).toBe('t')
    await ended
    expect([...(await short`select 1 as one`)]).toEqual([{ one: 1 }])
    for (const sql of [short, long]) await sql.end({ timeout: 0 })
  })

  it.each(ANALYST_ATTACKS)('cannot: $name', async ({ statements }) => {
    await expect(analystSql(url, { reader: ACCEPT_ALL }).run(statements, KEY)).rejects.toThrow(StatementRefused)
  })

  it('have no slow uninterruptible step, even with numbers at the digit limit', async () => {
    const digits = Array(4)
      .fill(`'${'7'.repeat(400)}'::numeric`)
      .join(' * ')
    const steps = Array(90).fill('div(x * 1e300, y + 1)').join(' + ')
    const { rows } = await analystSql(url).run(
      `with a as materialized (select ${digits} as x, ${digits} as y) select ${steps} > 0 from a`,
      KEY,
    )
    expect(rows).toEqual([['t']])
  })

  it.each(STATEMENT_ATTACKS)('cannot, although the role could: $name', async ({ statements, refusal }) => {
    await expect(analystSql(url, { reader }).run(statements, KEY)).rejects.toThrow(refusal)
  })
})
