/** The timing of a key check reveals nothing about other keys: no secret is ever compared with client input. */
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { KeyCache } from '../../src/api/access/key-cache.ts'

const ROOT = path.join(import.meta.dirname, '../..')

describe('a key', () => {
  it('is looked up by its hash; hashes of similar keys share no long prefix', async () => {
    const asked: string[] = []
    const keys = new KeyCache({
      find: async (sha256) => {
        asked.push(sha256)
        return undefined
      },
      version: () => ({ number: 1, ageMs: 0 }),
      now: () => Temporal.Instant.from('2026-11-21T10:00:00Z'),
    })
    // The same key with another last random character.
    const bytes = randomBytes(26).map((byte) => byte % 62)
    const key = makeApiKey(() => bytes)
    const next = makeApiKey(() => Uint8Array.from(bytes, (byte, i) => (i === 25 ? (byte + 1) % 62 : byte)))
    for (const text of [key, next]) await keys.verify(text, async () => {})
    expect(asked).toEqual([hashApiKey(key), hashApiKey(next)])
    expect(key.slice(0, 34)).toBe(next.slice(0, 34))
    const shared = [...(asked[0] as string)].findIndex((digit, i) => digit !== asked[1]?.[i])
    expect(shared).toBeLessThan(16)
  })
})

it('no decrypted secret is compared with === or !==', () => {
  const comparing = globSync('{src,jobs}/**/*.ts', { cwd: ROOT }).filter((file) =>
    /reveal\(\)\s*[=!]==|[=!]==\s*[\w.]+\.reveal\(\)/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  expect(comparing).toEqual([])
})
