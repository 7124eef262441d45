import { describe, expect, it } from 'vitest'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import type { Sql } from '../../src/store/database.ts'
import { changeUsage, type UsageChange } from '../../src/store/usage.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'
import { startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'

const [OCTOBER, NOVEMBER] = ['2026-10-01', '2026-11-01']

const { sql } = (await databaseOfFile()).database

const ledgerOn = (errors: unknown[] = [], on: Sql = sql) =>
  new QuotaLedger({ change: (changes) => changeUsage(on, changes), recordReached: async () => {} }, (err) =>
    errors.push(err),
  )
const change = async (...changes: (Omit<UsageChange, 'quota'> & { quota?: number })[]) => [
  ...(await changeUsage(
    sql,
    changes.map(({ quota, ...rest }) => ({ ...rest, quota })),
  )),
]
const stored = async (keyId: string, month: string) => {
  const [row] = await sql<{ requests: number }[]>`
    select requests from api_key_usage where key_id = ${keyId} and month = ${month}::date`
  return row?.requests
}

describe('usage of keys', () => {
  it('adds up by key and month, and returns the totals', async () => {
    const [{ id: a }, { id: b }] = [await seedApiKey(sql), await seedApiKey(sql)]
    await change({ keyId: a, month: OCTOBER, requests: 7 })
    const totals = await change(
      { keyId: b, month: NOVEMBER, requests: 1 },
      { keyId: a, month: OCTOBER, requests: 3 },
      { keyId: a, month: NOVEMBER, requests: 2 },
    )
    expect(totals).toHaveLength(3)
    expect(totals).toEqual(
      expect.arrayContaining([
        { keyId: a, month: OCTOBER, granted: 3, total: 10 },
        { keyId: a, month: NOVEMBER, granted: 2, total: 2 },
        { keyId: b, month: NOVEMBER, granted: 1, total: 1 },
      ]),
    )
    expect([await stored(a, OCTOBER), await stored(b, OCTOBER)]).toEqual([10, undefined])
  })

  it('reserves within the quota, and refunds', async () => {
    const { id } = await seedApiKey(sql)
    const asked: [requests: number, granted: number, total: number][] = [
      [3, 3, 3],
      [4, 2, 5],
      [1, 0, 5],
      [0, 0, 5],
      [-2, -2, 3],
      [5, 2, 5],
      [-9, -5, 0],
    ]
    for (const [requests, granted, total] of asked) {
      expect(await change({ keyId: id, month: OCTOBER, requests, quota: 5 })).toEqual([
        { keyId: id, month: OCTOBER, granted, total },
      ])
    }
  })

  it('reserves no more than the quota for the first request of a month, and takes nothing from a quota that was lowered', async () => {
    const { id } = await seedApiKey(sql)
    expect(await change({ keyId: id, month: OCTOBER, requests: 9, quota: 5 })).toMatchObject([{ granted: 5, total: 5 }])
    expect(await change({ keyId: id, month: OCTOBER, requests: 9, quota: 2 })).toMatchObject([{ granted: 0, total: 5 }])
    expect(await change({ keyId: id, month: OCTOBER, requests: -1, quota: 2 })).toMatchObject([{ total: 4 }])
  })

  it('stores nothing for an unknown key, and keeps the rest', async () => {
    const { id } = await seedApiKey(sql)
    const totals = await change(
      { keyId: 'key_nobody000000', month: OCTOBER, requests: 5, quota: 9 },
      { keyId: id, month: OCTOBER, requests: 5 },
    )
    expect(totals).toEqual([
      { keyId: id, month: OCTOBER, granted: 5, total: 5 },
      { keyId: 'key_nobody000000', month: OCTOBER, granted: 5, total: 0 },
    ])
    expect(await stored('key_nobody000000', OCTOBER)).toBeUndefined()
  })

  it('changes nothing of a batch that cannot be written whole', async () => {
    const { id } = await seedApiKey(sql)
    const broken = change({ keyId: id, month: OCTOBER, requests: 5 }, { keyId: id, month: '2026-10-02', requests: 5 })
    await expect(broken).rejects.toThrow(/check constraint/)
    expect(await stored(id, OCTOBER)).toBeUndefined()
  })

  it('loses no request of several processes that write the same keys at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => (await seedApiKey(sql)).id))
    const errors: unknown[] = []
    const ledgers = Array.from({ length: 4 }, () => ledgerOn(errors))
    for (let round = 0; round < 10; round++) {
      for (const [i, ledger] of ledgers.entries()) {
        // Each in another order.
        for (const key of keys.toSorted((a, b) => (i % 2 === 0 ? a.localeCompare(b) : b.localeCompare(a)))) {
          await ledger.reserve(key, NOVEMBER, undefined)
        }
      }
      await Promise.all(ledgers.map((ledger) => ledger.settle()))
    }
    await Promise.all(ledgers.map((ledger) => ledger[Symbol.asyncDispose]()))
    expect(errors).toEqual([])
    for (const key of keys) expect(await stored(key, NOVEMBER)).toBe(40)
  })

  it('survives the process: a new ledger continues from it', async () => {
    const { id } = await seedApiKey(sql)
    {
      await using ledger = ledgerOn()
      for (let i = 0; i < 25; i++) await ledger.reserve(id, NOVEMBER, i % 2 === 0 ? undefined : 10_000)
    }
    await using next = ledgerOn()
    expect(await next.used(id, NOVEMBER)).toBe(25)
  })
})

describe.skipIf(!hasPostgres)(needsPostgres('several sessions at once'), () => {
  it('admit exactly the quotas of keys that all of them ask for, from the first request of the month on', async () => {
    await using server = await startPlainServer({ poolSize: 16 })
    const { sql } = server.database
    const keys = await Promise.all(Array.from({ length: 10 }, async () => (await seedApiKey(sql)).id))
    // So few that no ledger takes one ahead, which another would miss.
    const quota = 130
    const errors: unknown[] = []
    const ledgers = Array.from({ length: 8 }, () => ledgerOn(errors, sql))
    const asked = Array.from({ length: 300 }, (_, i) => i).flatMap((i) =>
      // Each ledger asks for the keys in another order.
      keys.map(async (_, k) => {
        const key = keys[(k * (i % 2 === 0 ? 3 : 7)) % keys.length] as string
        const { admitted } = await (ledgers[i % 8] as QuotaLedger).reserve(key, NOVEMBER, quota)
        return { key, admitted }
      }),
    )
    const answers = await Promise.all(asked)
    await Promise.all(ledgers.map((ledger) => ledger[Symbol.asyncDispose]()))
    expect(errors).toEqual([])
    for (const key of keys) {
      expect(answers.filter((one) => one.key === key && one.admitted)).toHaveLength(quota)
      const [row] = await sql`select requests from api_key_usage where key_id = ${key}`
      expect(row?.requests).toBe(quota)
    }
  })
})
