import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import type { Sql } from '../../src/store/database.ts'
import { addUsage, usageOf } from '../../src/store/usage.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const [OCTOBER, NOVEMBER] = ['2026-10-01', '2026-11-01']

let db: TestDatabase
let sql: Sql
beforeAll(async () => {
  db = await testDatabase()
  sql = db.database.sql
})
afterAll(() => db.stop())

const ledgerOn = (errors: unknown[] = []) =>
  new QuotaLedger({ add: (uses) => addUsage(sql, uses), read: (keyId, month) => usageOf(sql, keyId, month) }, (err) =>
    errors.push(err),
  )

describe('usage of keys', () => {
  it('adds up by key and month, and returns the totals', async () => {
    const [{ id: a }, { id: b }] = [await seedApiKey(sql), await seedApiKey(sql)]
    await addUsage(sql, [{ keyId: a, month: OCTOBER, requests: 7 }])
    const totals = await addUsage(sql, [
      { keyId: b, month: NOVEMBER, requests: 1 },
      { keyId: a, month: OCTOBER, requests: 3 },
      { keyId: a, month: NOVEMBER, requests: 2 },
    ])
    expect(totals).toHaveLength(3)
    expect(totals).toEqual(
      expect.arrayContaining([
        { keyId: a, month: OCTOBER, requests: 10 },
        { keyId: a, month: NOVEMBER, requests: 2 },
        { keyId: b, month: NOVEMBER, requests: 1 },
      ]),
    )
    expect(await usageOf(sql, a, OCTOBER)).toBe(10)
    expect(await usageOf(sql, b, OCTOBER)).toBe(0)
  })

  it('drops what a key used that is not there, and keeps the rest', async () => {
    const { id } = await seedApiKey(sql)
    const totals = await addUsage(sql, [
      { keyId: 'key_nobody000000', month: OCTOBER, requests: 5 },
      { keyId: id, month: OCTOBER, requests: 5 },
    ])
    expect([...totals]).toEqual([{ keyId: id, month: OCTOBER, requests: 5 }])
  })

  it('adds nothing of a batch that cannot be written whole', async () => {
    const { id } = await seedApiKey(sql)
    const uses = [
      { keyId: id, month: OCTOBER, requests: 5 },
      { keyId: id, month: '2026-10-02', requests: 5 },
    ]
    await expect(addUsage(sql, uses)).rejects.toThrow(/check constraint/)
    expect(await usageOf(sql, id, OCTOBER)).toBe(0)
  })

  it('loses no request of several processes that write the same keys at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => (await seedApiKey(sql)).id))
    const errors: unknown[] = []
    const ledgers = Array.from({ length: 4 }, () => ledgerOn(errors))
    for (let round = 0; round < 10; round++) {
      for (const [i, ledger] of ledgers.entries()) {
        // Each in another order.
        for (const key of keys.toSorted((a, b) => (i % 2 === 0 ? a.localeCompare(b) : b.localeCompare(a)))) {
          ledger.count(key, NOVEMBER)
        }
      }
      await Promise.all(ledgers.map((ledger) => ledger.write()))
    }
    expect(errors).toEqual([])
    for (const key of keys) expect(await usageOf(sql, key, NOVEMBER)).toBe(40)
  })

  it('survives the process: a new ledger goes on from it', async () => {
    const { id } = await seedApiKey(sql)
    {
      await using ledger = ledgerOn()
      for (let i = 0; i < 25; i++) ledger.count(id, NOVEMBER)
    }
    await using next = ledgerOn()
    expect(await next.used(id, NOVEMBER)).toBe(25)
  })
})
