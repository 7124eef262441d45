import { randomBytes, randomInt } from 'node:crypto'
import { apiKeyHint, hashApiKey, makeApiKey } from '../access/api-key.ts'

interface NewKey {
  /** Shown once, stored nowhere. */
  key: string
  id: string
  sha256: string
  hint: string
}

/** A new key and what is stored of it. */
export function newApiKey(): NewKey {
  const key = makeApiKey(randomBytes)
  const id = `key_${Array.from({ length: 12 }, () => randomInt(36).toString(36)).join('')}`
  return { key, id, sha256: hashApiKey(key), hint: apiKeyHint(key) }
}
