/** The timing of a key check reveals nothing about other keys: no secret is ever compared with client input. */
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'

const ROOT = path.join(import.meta.dirname, '../..')

it('hashes of similar keys, by which keys are looked up, share no long prefix', () => {
  // The same key with another last random character.
  const bytes = randomBytes(26).map((byte) => byte % 62)
  const key = makeApiKey(() => bytes)
  const next = makeApiKey(() => Uint8Array.from(bytes, (byte, i) => (i === 25 ? (byte + 1) % 62 : byte)))
  expect(key.slice(0, 34)).toBe(next.slice(0, 34))
  const shared = [...hashApiKey(key)].findIndex((digit, i) => digit !== hashApiKey(next)[i])
  expect(shared).toBeLessThan(16)
})

it('no decrypted secret is compared with === or !==', () => {
  const comparing = globSync('{src,jobs}/**/*.ts', { cwd: ROOT }).filter((file) =>
    /reveal\(\)\s*[=!]==|[=!]==\s*[\w.]+\.reveal\(\)/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  expect(comparing).toEqual([])
})
