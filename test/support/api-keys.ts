/** Seeds: API keys, issued as the command does. */
import { randomBytes } from 'node:crypto'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { insertApiKey, type NewApiKey } from '../../src/store/api-keys.ts'
import type { Sql } from '../../src/store/database.ts'
import type { ProductDatabase } from './database.ts'

/** A key and its record, not stored. */
export function newApiKey(about: Partial<NewApiKey> = {}): { key: string; record: NewApiKey } {
  const key = makeApiKey(randomBytes)
  const record: NewApiKey = {
    id: `key_${randomBytes(6).toString('hex')}`,
    sha256: hashApiKey(key),
    hint: apiKeyHint(key),
    plan: 'Pro',
    owner: 'a test',
    email: null,
    requestsPerMinute: null,
    requestsPerMonth: null,
    attribution: null,
    createdAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
    rotatedFrom: null,
    ...about,
  }
  return { key, record }
}

export async function seedApiKey(sql: Sql, about: Partial<NewApiKey> = {}): Promise<{ id: string; key: string }> {
  const { key, record } = newApiKey(about)
  await insertApiKey(sql, record)
  return { id: record.id, key }
}

/** Issues a key in the database of a product, which may be running. */
export async function issueApiKey(
  copy: ProductDatabase,
  about: Partial<NewApiKey>,
): Promise<{ id: string; key: string }> {
  await using opened = await copy.open()
  return await seedApiKey(opened.database.sql, about)
}
