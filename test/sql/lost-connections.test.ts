/** The patched driver (.patches) on a server that ends connections and goes down; an error outside a promise fails the run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database, type Sql } from '../../src/store/database.ts'
import {
  expectSuccess,
  hasPostgres,
  needsPostgres,
  type Server,
  type ServerFolder,
  serverFolder,
  startNewServer,
  startServer,
} from '../support/postgres-cluster.ts'
import { repetitions } from '../support/repetitions.ts'

const CLIENTS = 12
const RESTARTS = repetitions(3, 10)

describe.skipIf(!hasPostgres)(needsPostgres('lost connections'), () => {
  let home: ServerFolder
  let server: Server
  let operator: Database
  let database: Database
  beforeAll(async () => {
    home = await serverFolder()
    server = await startNewServer(home)
    operator = connectDatabase({ url: server.superuserUrl, poolSize: 1 })
    database = connectDatabase({ url: server.superuserUrl, poolSize: 1 })
    await operator.sql`create table written (by_whom text not null)`
  })
  afterAll(async () => {
    await database.close()
    await operator.close()
    await server.stop()
    await home[Symbol.asyncDispose]()
  })

  const idOf = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid as number
  /** Terminates the session and waits until it is gone. */
  const end = async (pid: number) => {
    await operator.sql`select pg_terminate_backend(${pid}, 5000)`
  }
  const written = async () =>
    (await operator.sql<{ by_whom: string }[]>`select by_whom from written`).map((row) => row.by_whom)

  it('fail their transaction, and the next query uses a new connection', async () => {
    const lost = database.sql.begin(async (tx) => {
      await tx`insert into written values ('lost')`
      await end(await idOf(tx as unknown as Sql))
      await tx`insert into written values ('lost too')`
    })
    await expect(lost).rejects.toThrow()
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(await written()).toEqual([])
  })

  it('never run late statements of a lost transaction in the next one', async () => {
    const gone = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    const lost = database.sql.begin(async (tx) => {
      await end(await idOf(tx as unknown as Sql))
      gone.resolve()
      await late.promise
      await tx`insert into written values ('lost')`
    })
    const lostFails = expect(lost).rejects.toThrow()
    await gone.promise
    await database.sql.begin(async (tx) => {
      await tx`insert into written values ('next')`
      late.resolve()
      await lostFails
      await sleep(20)
      await tx`insert into written values ('next too')`
    })
    expect(await written()).toEqual(['next', 'next too'])
    await operator.sql`truncate written`
  })

  it('reject queries if reserved, and are replaced after release', async () => {
    const reserved = await database.sql.reserve()
    await end(await idOf(reserved))
    await expect(reserved`select 1`.execute()).rejects.toThrow()
    await expect(reserved`select 1`.execute()).rejects.toThrow()
    reserved.release()
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  it('do not shrink the pool when the server restarts under load', async () => {
    const pool = connectDatabase({ url: server.superuserUrl, poolSize: CLIENTS / 2 })
    let going = true
    const outcomes = { answered: 0, refused: 0 }
    const ask = async (n: number) => {
      const queries: ((sql: Sql) => Promise<unknown>)[] = [
        (sql) => sql`select ${n}::integer as n`,
        (sql) => sql.begin(async (tx) => [await tx`select 1`, await tx`select 2`]),
        async (sql) => {
          const reserved = await sql.reserve()
          try {
            await reserved`select 1`
          } finally {
            reserved.release()
          }
        },
      ]
      const query = queries[n % queries.length] as (sql: Sql) => Promise<unknown>
      while (going) {
        await query(pool.sql).then(
          () => outcomes.answered++,
          () => outcomes.refused++,
        )
        await sleep(n)
      }
    }
    const askers = Array.from({ length: CLIENTS }, (_, n) => ask(n))
    for (let i = 0; i < RESTARTS; i++) {
      await sleep(20 * i)
      await expectSuccess(
        home.run('pg_ctl', ['-D', server.dataDir, '-m', i % 2 === 0 ? 'immediate' : 'fast', '-w', 'stop']),
      )
      await sleep(20 * (RESTARTS - i))
      server = await startServer(home, server.dataDir, { port: String(server.port) })
    }
    going = false
    await Promise.all(askers)
    expect(outcomes.refused).toBeGreaterThan(0)
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => pool.sql`select ${n}::integer as n, pg_sleep(0.05)`),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: CLIENTS }, (_, n) => n))
    await pool.close()
  })
})
