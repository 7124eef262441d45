import { describe, expect, it } from 'vitest'
import type { Sql, Transaction } from '../../src/store/database.ts'
import { ReadReplicas } from '../../src/store/read-replicas.ts'
import { run, runOne } from '../../src/store/run.ts'
import { databaseOfFile } from '../support/database.ts'

const FETCHED = Temporal.Instant.from('2026-10-25T00:30:00Z')
const { sql } = (await databaseOfFile()).database

const insertKey = (sql: Sql | Transaction, id: string) => {
  const about = { hint: 'k', plan: 'Developer', owner: 'o', created_at: FETCHED } as const
  return run(sql, (on) => on.insertInto('api_keys').values({ ...about, id, sha256: id.slice(4).padEnd(64, '0') }))
}
const findKey = (sql: Sql | Transaction, id: string) =>
  runOne(sql, (on) => on.selectFrom('api_keys').select(['id', 'created_at', 'email']).where('id', '=', id))

describe('a short statement', () => {
  it('returns rows with the types of the driver, and the number of rows written', async () => {
    expect((await insertKey(sql, 'key_00000000000a')).count).toBe(1)
    expect(await findKey(sql, 'key_00000000000a')).toEqual({ id: 'key_00000000000a', created_at: FETCHED, email: null })
    expect(await findKey(sql, 'key_none')).toBeUndefined()
    const limits = await run(sql, (on) => on.selectFrom('price_limits').select('valid_from').limit(1))
    expect(limits[0]?.valid_from).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('runs in the given transaction', async () => {
    const undone = sql.begin(async (tx: Transaction) => {
      await insertKey(tx, 'key_00000000000b')
      expect(await findKey(tx, 'key_00000000000b')).toBeDefined()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await findKey(sql, 'key_00000000000b')).toBeUndefined()
  })

  it('runs on a reserved connection, prepared once, with or without parameters', async () => {
    const connection = await sql.reserve()
    try {
      const count = (on: Parameters<Parameters<typeof run>[1]>[0]) =>
        on.selectFrom('price_limits').select(({ fn }) => fn.countAll<number>().as('limits'))
      for (let i = 0; i < 3; i++) {
        await findKey(connection, 'key_00000000000a')
        await run(connection, count)
      }
      const prepared = await connection<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement like 'select "id", "created_at"%' or statement like 'select count(*)%'`
      expect(prepared).toHaveLength(2)
    } finally {
      connection.release()
    }
  })

  it('reads through replicas, or the primary while no replica is up to date', async () => {
    expect(await findKey(new ReadReplicas(sql, [sql]).sql, 'key_00000000000a')).toBeDefined()
  })
})
