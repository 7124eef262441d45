import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../../../src/api/access/api-key.ts'
import { KeyCache } from '../../../../src/api/access/key-cache.ts'
import type { ApiKeyRecord } from '../../../../src/store/api-keys.ts'
import { keyRecord } from '../../../support/access.ts'
import { liveHeapBytes } from '../../../support/heap.ts'

const at = (text: string) => Temporal.Instant.from(text)

/** The keys in the database. */
const stored = new Map<string, ApiKeyRecord>()
const INITIAL_STATE = { version: 1, ageMs: 0, now: at('2026-11-21T10:00:00Z'), lookUps: 0, guesses: 0, refusing: false }
let state: typeof INITIAL_STATE
let find: typeof lookUp
let cache: KeyCache
beforeEach(() => {
  stored.clear()
  state = { ...INITIAL_STATE }
  find = lookUp
  cache = new KeyCache({
    find: (sha256) => find(sha256),
    version: () => ({ number: state.version, ageMs: state.ageMs }),
    now: () => state.now,
  })
})

async function lookUp(sha256: string): Promise<ApiKeyRecord | undefined> {
  state.lookUps += 1
  return stored.get(sha256)
}

/** Counts look-ups of keys that were never seen before as guesses. */
function verify(text: string) {
  return cache.verify(text, async () => {
    state.guesses += 1
    if (state.refusing) throw new Error('too many guesses')
  })
}

function store(key: string, about: Partial<ApiKeyRecord>): void {
  stored.set(hashApiKey(key), keyRecord('key_000000000000', { hint: apiKeyHint(key), plan: 'Pro', ...about }))
}

function issue(about: Partial<ApiKeyRecord> = {}): string {
  const key = makeApiKey(randomBytes)
  store(key, about)
  return key
}

describe('verification by the key cache', () => {
  it('returns the holder of a valid key', async () => {
    expect(await verify(issue({ plan: 'Trading' }))).toMatchObject({ ok: true, key: { plan: 'Trading' } })
  })

  it('reports a revoked key as revoked even after it has expired', async () => {
    const key = issue({ revokedAt: at('2026-05-01T00:00:00Z'), expiresAt: at('2026-06-01T00:00:00Z') })
    expect(await verify(key)).toEqual({ ok: false, reason: 'revoked' })
  })

  it('rejects a key from the exact instant of its expiry, even if cached', async () => {
    const key = issue({ expiresAt: at('2026-11-21T10:00:01Z') })
    expect(await verify(key)).toMatchObject({ ok: true })
    state.now = at('2026-11-21T10:00:01Z')
    expect(await verify(key)).toEqual({ ok: false, reason: 'expired' })
    expect(state.lookUps).toBe(1)
  })
})

describe('entries of the key cache', () => {
  it('are kept for unknown keys too', async () => {
    const key = makeApiKey(randomBytes)
    for (let i = 0; i < 100; i++) await verify(key)
    expect(state.lookUps).toBe(1)
  })

  it('are invalidated when any key changes, so that revocations and new keys take effect', async () => {
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    await verify(key)
    await verify(unissued)
    store(key, { revokedAt: state.now })
    store(unissued, {})
    expect(await verify(key)).toMatchObject({ ok: true })
    state.version += 1
    expect(await verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await verify(unissued)).toMatchObject({ ok: true })
  })

  it('are not used while the known version is older than four seconds', async () => {
    const key = issue()
    await verify(key)
    state.ageMs = 4_000
    await verify(key)
    expect(state.lookUps).toBe(1)
    state.ageMs = 4_001
    store(key, { revokedAt: state.now })
    expect(await verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(state.lookUps).toBe(3)
  })

  it('are discarded if any key changed during the look-up', async () => {
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    find = async (sha256) => {
      const asItWas = await lookUp(sha256)
      state.version += 1
      return asItWas
    }
    expect(await verify(key)).toMatchObject({ ok: true })
    expect(await verify(unissued)).toEqual({ ok: false, reason: 'unknown' })
    find = lookUp
    store(key, { revokedAt: state.now })
    store(unissued, {})
    expect(await verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await verify(unissued)).toMatchObject({ ok: true })
  })

  it('are not stored if the look-up fails, which fails the request', async () => {
    const key = issue()
    find = () => Promise.reject(new Error('no database'))
    await expect(verify(key)).rejects.toThrow('no database')
    find = lookUp
    expect(await verify(key)).toMatchObject({ ok: true })
  })
})

describe('the guess limit of the key cache', () => {
  it('applies to keys never seen before, and prevents the look-up once exceeded', async () => {
    await verify(makeApiKey(randomBytes))
    expect(state).toMatchObject({ guesses: 1, lookUps: 1 })
    state.refusing = true
    for (let i = 0; i < 100; i++) await expect(verify(makeApiKey(randomBytes))).rejects.toThrow('too many guesses')
    expect(state).toMatchObject({ guesses: 101, lookUps: 1 })
  })

  it('counts concurrent requests with the same key once', async () => {
    const key = issue()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verify(key)))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    expect(state).toMatchObject({ guesses: 1, lookUps: 1 })
  })

  it('counts each concurrent request if the first is refused', async () => {
    const key = makeApiKey(randomBytes)
    state.refusing = true
    const refused = await Promise.allSettled(Array.from({ length: 5 }, () => verify(key)))
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(state).toMatchObject({ guesses: 5, lookUps: 0 })
  })

  it('does not apply to a key that was valid before, even when it is looked up again', async () => {
    const key = issue()
    await verify(key)
    state.refusing = true
    state.version += 1
    expect(await verify(key)).toMatchObject({ ok: true })
    state.ageMs = 10_000
    expect(await verify(key)).toMatchObject({ ok: true })
    expect(state).toMatchObject({ guesses: 1, lookUps: 3 })
  })

  it('applies again to a key that no longer exists', async () => {
    const key = issue()
    await verify(key)
    stored.delete(hashApiKey(key))
    for (let i = 0; i < 3; i++) {
      state.version += 1
      expect(await verify(key)).toEqual({ ok: false, reason: 'unknown' })
    }
    expect(state).toMatchObject({ guesses: 3, lookUps: 4 })
  })
})

describe('the key cache under attack', () => {
  it('rejects a million distinct malformed keys without look-ups or memory growth', async () => {
    const malformed = (i: number) => `svc_live_${i.toString(36).padStart(32, '0')}`
    expect(await verify(malformed(0))).toEqual({ ok: false, reason: 'malformed' })
    for (let i = 0; i < 100_000; i++) await verify(malformed(i))
    const before = liveHeapBytes()
    for (let i = 100_000; i < 1_100_000; i++) await verify(malformed(i))
    expect(state.lookUps).toBe(0)
    expect(liveHeapBytes() - before).toBeLessThan(2 * 1024 * 1024)
  })

  it('keeps a bounded number of unknown keys', async () => {
    const first = makeApiKey(randomBytes)
    await verify(first)
    for (let i = 0; i < 10_000; i++) await verify(makeApiKey(randomBytes))
    expect(state.lookUps).toBe(10_001)
    await verify(first)
    expect(state.lookUps).toBe(10_002)
  })
})
