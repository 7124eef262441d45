import { beforeEach, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/api/access/api-key.ts'
import {
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../src/store/api-keys.ts'
import { newApiKey, seedApiKey } from '../support/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'

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
  it('are found by the hash of their text and by their id, as they were issued', async () => {
    const about = {
      plan: 'Enterprise',
      owner: `O'Brien "Ltd"; drop table api_keys; --`,
      email: 'a@example.com',
    } as const
    const figures = { requestsPerMinute: 20_000, requestsPerMonth: 5_000_000_000, attribution: 'Prices: Example' }
    const { key, record } = newApiKey({ ...about, ...figures, createdAt: NOW })
    await insertApiKey(sql, record)
    const { sha256, ...issued } = record
    expect(await findApiKeyByHash(sql, hashApiKey(key))).toEqual({ ...issued, expiresAt: null, revokedAt: null })
    expect(await findApiKeyByHash(sql, sha256)).toEqual(await findApiKey(sql, record.id))
    expect((await listApiKeys(sql)).map(({ id }) => id)).toContain(record.id)
    expect(await version()).toBe(before + 1)
  })

  it('are not found by anything else', async () => {
    expect(await findApiKeyByHash(sql, "' or true --")).toBeUndefined()
    expect(await findApiKey(sql, 'key_nobody000000')).toBeUndefined()
  })

  it('raise no version when they cannot be stored', async () => {
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
    expect(await findApiKey(sql, id)).toMatchObject({ expiresAt: LATER, revokedAt: null })
    expect(await findApiKey(sql, record.id)).toMatchObject({ expiresAt: null, rotatedFrom: id })
  })

  it('lets the successor continue with the use of the current month only', async () => {
    const { id } = await seedApiKey(sql)
    const use = (month: string, requests: number) =>
      sql`insert into api_key_usage values (${id}, ${month}, ${requests})`
    await use('2026-10-01', 9000)
    await use('2026-11-01', 7000)
    const { record } = newApiKey({ createdAt: NOW, rotatedFrom: id })
    await rotateApiKey(sql, id, LATER, record)
    const used = await sql`select month::text, requests::int from api_key_usage where key_id = ${record.id}`
    expect([...used]).toEqual([{ month: '2026-11-01', requests: 7000 }])
  })

  it('never prolongs the old key', async () => {
    const { id } = await seedApiKey(sql)
    await rotateApiKey(sql, id, at('2026-11-22T00:00:00Z'), newApiKey({ createdAt: NOW, rotatedFrom: id }).record)
    const again = newApiKey({ createdAt: NOW, rotatedFrom: id }).record
    expect(await rotateApiKey(sql, id, LATER, again)).toEqual(at('2026-11-22T00:00:00Z'))
  })

  it.each([
    ['a revoked key', async (id: string) => void (await revokeApiKey(sql, id, NOW))],
    [
      'an expired key',
      async (id: string) =>
        void (await rotateApiKey(sql, id, NOW, newApiKey({ createdAt: at('2026-11-20T00:00:00Z') }).record)),
    ],
  ])('issues no successor of %s', async (_name, end) => {
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
  it('is dated once and raises the version', async () => {
    const { id } = await seedApiKey(sql)
    expect(await revokeApiKey(sql, id, NOW)).toBe(true)
    expect(await revokeApiKey(sql, id, LATER)).toBe(true)
    expect(await findApiKey(sql, id)).toMatchObject({ revokedAt: NOW })
    expect(await version()).toBe(before + 3)
  })

  it('says when there is no such key', async () => {
    expect(await revokeApiKey(sql, 'key_nobody000000', NOW)).toBe(false)
    expect(await version()).toBe(before)
  })
})
