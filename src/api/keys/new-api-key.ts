import { randomBytes } from 'node:crypto'
import { randomId } from '../../platform/random-id.ts'
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
  return { key, id: randomId('key_', 12), sha256: hashApiKey(key), hint: apiKeyHint(key) }
}
