/** Keys and their usage: issued, rotated, revoked and counted, and the changes visible to their holders. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/api/access/api-key.ts'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import {
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../src/store/api-keys.ts'
import { changeStore } from '../../src/store/changes.ts'
import type { Sql } from '../../src/store/database.ts'
import { SQL_FOLDER } from '../../src/store/sql-files.ts'
import { changeUsage, type ReachedQuota, recordQuotaReached, type UsageChange } from '../../src/store/usage.ts'
import { newApiKey, seedApiKey } from '../support/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'
import { startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'

const at = (text: string) => Temporal.Instant.from(text)
const NOW = at('2026-11-21T10:00:00Z')
const LATER = at('2026-11-28T10:00:00Z')

const { sql } = (await databaseOfFile()).database

const version = async () => (await sql<{ version: number }[]>`select version from key_version`)[0]?.version ?? 0

let before: number
beforeEach(async () => {
  before = await version()
})

describe('API keys in the database', () => {
  it('are found by hash and by id, exactly as issued', async () => {
    const holder = { owner: `O'Brien "Ltd"; drop table api_keys; --`, email: 'a@example.com' }
    const limits = { requestsPerMinute: 20_000, requestsPerMonth: 5_000_000_000, attribution: 'Prices: Example' }
    const { key, record } = newApiKey({ plan: 'Enterprise', ...holder, ...limits, createdAt: NOW })
    await insertApiKey(sql, record)
    const { sha256, ...issued } = record
    const found = await findApiKeyByHash(sql, hashApiKey(key))
    expect(found).toEqual({ ...issued, expiresAt: null, revokedAt: null, root: record.id })
    expect(await findApiKeyByHash(sql, sha256)).toEqual(await findApiKey(sql, record.id))
    expect((await listApiKeys(sql)).map(({ id }) => id)).toContain(record.id)
    expect(await version()).toBe(before + 1)
  })

  it('are not found by an unknown hash or id', async () => {
    expect(await findApiKeyByHash(sql, "' or true --")).toBeUndefined()
    expect(await findApiKey(sql, 'key_nobody000000')).toBeUndefined()
  })

  it('do not increment the key version if the insert fails', async () => {
    const { record } = newApiKey()
    await insertApiKey(sql, record)
    await expect(insertApiKey(sql, record)).rejects.toThrow(/duplicate key/)
    expect(await version()).toBe(before + 1)
  })
})

describe('rotation', () => {
  it('keeps the old key until the stated instant, and stores its successor', async () => {
    const { id } = await seedApiKey(sql)
    const { record } = newApiKey({ createdAt: NOW, rotatedFrom: id })
    expect(await rotateApiKey(sql, id, LATER, record)).toEqual(LATER)
    const old = await findApiKey(sql, id)
    expect([old?.expiresAt, old?.revokedAt]).toEqual([LATER, null])
    expect(await findApiKey(sql, record.id)).toMatchObject({ expiresAt: null, rotatedFrom: id })
  })

  it('keeps each successor in the chain of the first key', async () => {
    const { id } = await seedApiKey(sql)
    let previous = id
    for (const _ of [1, 2]) {
      const { record } = newApiKey({ createdAt: NOW, rotatedFrom: previous })
      await rotateApiKey(sql, previous, LATER, record)
      expect(await findApiKey(sql, record.id)).toMatchObject({ rotatedFrom: previous, root: id })
      previous = record.id
    }
  })

  it('leaves one usage row per chain and month after migration 0016', async () => {
    const { id } = await seedApiKey(sql)
    const { record } = newApiKey({ createdAt: NOW, rotatedFrom: id })
    await rotateApiKey(sql, id, LATER, record)
    await sql`insert into api_key_usage values (${id}, '2026-10-01', 9), (${id}, '2026-11-01', 5), (${record.id}, '2026-11-01', 7)`
    await sql.unsafe(await readFile(path.join(SQL_FOLDER, 'migrations/0016-count-use-by-first-key.sql'), 'utf8'))
    const rows = await sql`
      select key_id, month::text, requests::int from api_key_usage where key_id in (${id}, ${record.id}) order by month`
    expect([...rows]).toEqual([
      { key_id: id, month: '2026-10-01', requests: 9 },
      { key_id: id, month: '2026-11-01', requests: 7 },
    ])
  })

  it('never extends the validity of the old key', async () => {
    const { id } = await seedApiKey(sql)
    await rotateApiKey(sql, id, at('2026-11-22T00:00:00Z'), newApiKey({ createdAt: NOW, rotatedFrom: id }).record)
    const again = newApiKey({ createdAt: NOW, rotatedFrom: id }).record
    expect(await rotateApiKey(sql, id, LATER, again)).toEqual(at('2026-11-22T00:00:00Z'))
  })

  it.each([
    ['a revoked key', (id: string) => revokeApiKey(sql, id, NOW)],
    ['an expired key', (id: string) => rotateApiKey(sql, id, NOW, newApiKey().record)],
  ])('issues no successor to %s', async (_name, end) => {
    const { id } = await seedApiKey(sql)
    await end(id)
    const { record } = newApiKey({ createdAt: NOW, rotatedFrom: id })
    expect(await rotateApiKey(sql, id, LATER, record)).toBeUndefined()
    expect(await findApiKey(sql, record.id)).toBeUndefined()
  })

  it('changes nothing when the successor cannot be stored', async () => {
    const { id } = await seedApiKey(sql)
    const { record } = newApiKey({ createdAt: NOW, id })
    await expect(rotateApiKey(sql, id, LATER, record)).rejects.toThrow(/duplicate key/)
    expect(await findApiKey(sql, id)).toMatchObject({ expiresAt: null })
  })
})

describe('revocation', () => {
  it('keeps its first date and increments the key version', async () => {
    const { id } = await seedApiKey(sql)
    expect(await revokeApiKey(sql, id, NOW)).toBe(true)
    expect(await revokeApiKey(sql, id, LATER)).toBe(true)
    expect((await findApiKey(sql, id))?.revokedAt).toEqual(NOW)
    expect(await version()).toBe(before + 3)
  })

  it('returns false for an unknown key', async () => {
    expect(await revokeApiKey(sql, 'key_nobody000000', NOW)).toBe(false)
    expect(await version()).toBe(before)
  })
})

const [OCTOBER, NOVEMBER] = ['2026-10-01', '2026-11-01']

const ledgerOn = (errors: unknown[] = [], on: Sql = sql) =>
  new QuotaLedger({ change: (changes) => changeUsage(on, changes), recordReached: async () => {} }, (err) =>
    errors.push(err),
  )
const change = (...changes: (Omit<UsageChange, 'quota'> & { quota?: number })[]) =>
  changeUsage(
    sql,
    changes.map(({ quota, ...rest }) => ({ ...rest, quota })),
  )
const stored = async (keyId: string, month: string) => {
  const [row] = await sql<{ requests: number }[]>`
    select requests from api_key_usage where key_id = ${keyId} and month = ${month}::date`
  return row?.requests
}

describe('usage of keys', () => {
  it('is summed by key and month, and returned as totals', async () => {
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

  it('is reserved within the quota and refunded', async () => {
    const { id } = await seedApiKey(sql)
    for (const [requests, granted, total] of [
      [3, 3, 3],
      [4, 2, 5],
      [1, 0, 5],
      [0, 0, 5],
      [-2, -2, 3],
      [5, 2, 5],
      [-9, -5, 0],
    ] as const) {
      expect(await change({ keyId: id, month: OCTOBER, requests, quota: 5 })).toEqual([
        { keyId: id, month: OCTOBER, granted, total },
      ])
    }
  })

  it('is capped at the quota on the first request of a month, and kept if the quota is lowered', async () => {
    const { id } = await seedApiKey(sql)
    expect(await change({ keyId: id, month: OCTOBER, requests: 9, quota: 5 })).toMatchObject([{ granted: 5, total: 5 }])
    expect(await change({ keyId: id, month: OCTOBER, requests: 9, quota: 2 })).toMatchObject([{ granted: 0, total: 5 }])
    expect(await change({ keyId: id, month: OCTOBER, requests: -1, quota: 2 })).toMatchObject([{ total: 4 }])
  })

  it('is not stored for an unknown key, but is for the others in the batch', async () => {
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

  it('is unchanged if the batch cannot be written as a whole', async () => {
    const { id } = await seedApiKey(sql)
    const broken = change({ keyId: id, month: OCTOBER, requests: 5 }, { keyId: id, month: '2026-10-02', requests: 5 })
    await expect(broken).rejects.toThrow(/check constraint/)
    expect(await stored(id, OCTOBER)).toBeUndefined()
  })

  it('loses no request when several processes write the same keys concurrently', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => (await seedApiKey(sql)).id))
    const errors: unknown[] = []
    const ledgers = Array.from({ length: 4 }, () => ledgerOn(errors))
    for (let round = 0; round < 10; round++) {
      for (const [i, ledger] of ledgers.entries()) {
        // Each in a different order.
        for (const key of i % 2 === 0 ? keys : keys.toReversed()) await ledger.reserve(key, NOVEMBER, undefined)
      }
      await Promise.all(ledgers.map((ledger) => ledger.settle()))
    }
    await Promise.all(ledgers.map((ledger) => ledger[Symbol.asyncDispose]()))
    expect(errors).toEqual([])
    for (const key of keys) expect(await stored(key, NOVEMBER)).toBe(40)
  })

  it('is persisted and continued by a new ledger', async () => {
    const { id } = await seedApiKey(sql)
    {
      await using ledger = ledgerOn()
      for (let i = 0; i < 25; i++) await ledger.reserve(id, NOVEMBER, i % 2 === 0 ? undefined : 10_000)
    }
    await using next = ledgerOn()
    expect(await next.used(id, NOVEMBER)).toBe(25)
  })
})

describe.skipIf(!hasPostgres)(needsPostgres('concurrent sessions'), () => {
  it('admit exactly the quota of each key, from the first request of the month', async () => {
    await using server = await startPlainServer({ poolSize: 16 })
    const { sql } = server.database
    const keys = await Promise.all(Array.from({ length: 10 }, async () => (await seedApiKey(sql)).id))
    // Small enough that no ledger reserves ahead, which would deprive another of requests.
    const quota = 130
    const errors: unknown[] = []
    const ledgers = Array.from({ length: 8 }, () => ledgerOn(errors, sql))
    const asked = Array.from({ length: 300 }, (_, i) => i).flatMap((i) =>
      // Each ledger gets the keys in a different order.
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

/** On a day of 25 hours. */
const CHANGED_AT = at('2026-10-25T00:30:00Z')

/** The changes visible to the holder of the chain that begins with this key. */
async function changesVisibleTo(keyRoot: string) {
  const { changes } = await changeStore(sql).after(0, { keyRoot, limit: 100 })
  return changes.map(({ kind, details }) => ({ kind, ...details }))
}
describe('the change feed of a key holder', () => {
  it('records rotation and revocation once each, and shows them to no other holder', async () => {
    const [{ id }, other] = [await seedApiKey(sql), await seedApiKey(sql)]
    const hint = (await findApiKey(sql, id))?.hint
    const { record: next } = newApiKey({ createdAt: CHANGED_AT, rotatedFrom: id })
    await rotateApiKey(sql, id, CHANGED_AT.add({ hours: 24 }), next)
    for (let i = 0; i < 2; i++) await revokeApiKey(sql, next.id, CHANGED_AT)
    expect(await changesVisibleTo(id)).toEqual([
      { kind: 'key.rotated', key: hint, by: next.hint, valid_until: '2026-10-26T00:30:00Z' },
      { kind: 'key.revoked', key: next.hint },
    ])
    expect(await changesVisibleTo(other.id)).toEqual([])
  })

  it('records 80 and 100 % of the quota once each, despite refunds, restarts and other processes', async () => {
    const { id } = await seedApiKey(sql)
    const recorded: Promise<void>[] = []
    await using ledgers = new AsyncDisposableStack()
    const process = () => {
      const recordReached = (reached: ReachedQuota) => {
        const done = recordQuotaReached(sql, reached, CHANGED_AT)
        recorded.push(done)
        return done
      }
      const store = { change: (changes: UsageChange[]) => changeUsage(sql, changes), recordReached }
      const ledger = ledgers.use(
        new QuotaLedger(store, (err) => {
          throw err
        }),
      )
      return async (requests: number, month = OCTOBER) => {
        for (let i = 0; i < requests; i++) await ledger.reserve(id, month, 10)
        for (let i = 0; i > requests; i--) ledger.refund(id, month)
        await ledger.settle()
        await Promise.all(recorded)
      }
    }
    const [one, two] = [process(), process()]
    for (const requests of [7, 1, -2, 2]) await one(requests)
    expect(await changesVisibleTo(id)).toMatchObject([
      { kind: 'quota.reached', month: '2026-10', percent: 80, quota: 10 },
    ])
    for (const requests of [1, 5]) await two(requests)
    await one(-1)
    await process()(3)
    expect((await changesVisibleTo(id)).map(({ kind, ...details }) => [kind, details])).toMatchObject([
      ['quota.reached', { percent: 80 }],
      ['quota.reached', { percent: 100 }],
    ])
    await one(9, '2026-11-01')
    expect((await changesVisibleTo(id)).at(-1)).toMatchObject({ month: '2026-11', percent: 80 })
  })
})
