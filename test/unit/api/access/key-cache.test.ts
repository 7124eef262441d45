import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../../../src/api/access/api-key.ts'
import { KeyCache } from '../../../../src/api/access/key-cache.ts'
import type { ApiKeyRecord } from '../../../../src/store/api-keys.ts'
import { keyRecord } from '../../../support/access.ts'
import { liveHeapBytes } from '../../../support/heap.ts'

/** A cache over a map of keys, with a version and a clock that the test controls. */
function createTestCache() {
  const stored = new Map<string, ApiKeyRecord>()
  const state = {
    version: 1,
    ageMs: 0,
    now: Temporal.Instant.from('2026-11-21T10:00:00Z'),
    lookUps: 0,
    guesses: 0,
    refusing: false,
  }
  const find = async (sha256: string) => {
    state.lookUps += 1
    return stored.get(sha256)
  }
  const hooks = { find }
  const cache = new KeyCache({
    find: (sha256) => hooks.find(sha256),
    version: () => ({ number: state.version, ageMs: state.ageMs }),
    now: () => state.now,
  })
  /** Counts look-ups of keys that were never seen before. */
  const keys = {
    verify: (text: string) =>
      cache.verify(text, async () => {
        state.guesses += 1
        if (state.refusing) throw new Error('too many guesses')
      }),
  }
  const issue = (about: Partial<ApiKeyRecord> = {}) => {
    const key = makeApiKey(randomBytes)
    stored.set(hashApiKey(key), recordOf(key, about))
    return key
  }
  const change = (key: string, about: Partial<ApiKeyRecord>) => stored.set(hashApiKey(key), recordOf(key, about))
  const remove = (key: string) => stored.delete(hashApiKey(key))
  return { keys, state, hooks, find, issue, change, remove }
}

function recordOf(key: string, about: Partial<ApiKeyRecord>): ApiKeyRecord {
  return keyRecord('key_000000000000', { hint: apiKeyHint(key), plan: 'Pro', ...about })
}

const at = (text: string) => Temporal.Instant.from(text)

describe('verification by the key cache', () => {
  it('returns the holder of a valid key', async () => {
    const { keys, issue } = createTestCache()
    expect(await keys.verify(issue({ plan: 'Trading' }))).toMatchObject({ ok: true, key: { plan: 'Trading' } })
  })

  it.each(['', 'svc_live_', 'svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(10_000), '\u0000', "' or true --"])(
    'rejects a malformed key without a look-up: %j',
    async (text) => {
      const { keys, state } = createTestCache()
      expect(await keys.verify(text)).toEqual({ ok: false, reason: 'malformed' })
      expect(state.lookUps).toBe(0)
    },
  )

  it('rejects a well-formed key that was never issued', async () => {
    const { keys } = createTestCache()
    expect(await keys.verify(makeApiKey(randomBytes))).toEqual({ ok: false, reason: 'unknown' })
  })

  it('reports a revoked key as revoked even after it has expired', async () => {
    const { keys, issue } = createTestCache()
    const key = issue({ revokedAt: at('2026-05-01T00:00:00Z'), expiresAt: at('2026-06-01T00:00:00Z') })
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'revoked' })
  })

  it('rejects a key from the exact instant of its expiry, even if cached', async () => {
    const { keys, state, issue } = createTestCache()
    const key = issue({ expiresAt: at('2026-11-21T10:00:01Z') })
    expect(await keys.verify(key)).toMatchObject({ ok: true })
    state.now = at('2026-11-21T10:00:01Z')
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'expired' })
    expect(state.lookUps).toBe(1)
  })
})

describe('entries of the key cache', () => {
  it('are reused after the first look-up', async () => {
    const { keys, state, issue } = createTestCache()
    const key = issue()
    for (let i = 0; i < 100; i++) await keys.verify(key)
    expect(state.lookUps).toBe(1)
  })

  it('are kept for unknown keys too', async () => {
    const { keys, state } = createTestCache()
    const key = makeApiKey(randomBytes)
    for (let i = 0; i < 100; i++) await keys.verify(key)
    expect(state.lookUps).toBe(1)
  })

  it('are invalidated when any key changes, so that revocations and new keys take effect', async () => {
    const { keys, state, issue, change } = createTestCache()
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    await keys.verify(key)
    await keys.verify(unissued)
    change(key, { revokedAt: state.now })
    change(unissued, {})
    expect(await keys.verify(key)).toMatchObject({ ok: true })
    state.version += 1
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await keys.verify(unissued)).toMatchObject({ ok: true })
  })

  it('are not used while the known version is older than four seconds', async () => {
    const { keys, state, issue, change } = createTestCache()
    const key = issue()
    await keys.verify(key)
    state.ageMs = 4_000
    await keys.verify(key)
    expect(state.lookUps).toBe(1)
    state.ageMs = 4_001
    change(key, { revokedAt: state.now })
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(state.lookUps).toBe(3)
  })

  it('are discarded if any key changed during the look-up', async () => {
    const { keys, state, hooks, find, issue, change } = createTestCache()
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    hooks.find = async (sha256) => {
      const asItWas = await find(sha256)
      state.version += 1
      return asItWas
    }
    expect(await keys.verify(key)).toMatchObject({ ok: true })
    expect(await keys.verify(unissued)).toEqual({ ok: false, reason: 'unknown' })
    hooks.find = find
    change(key, { revokedAt: state.now })
    change(unissued, {})
    expect(await keys.verify(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await keys.verify(unissued)).toMatchObject({ ok: true })
  })

  it('are not stored if the look-up fails, which fails the request', async () => {
    const { keys, hooks, find, issue } = createTestCache()
    const key = issue()
    hooks.find = () => Promise.reject(new Error('no database'))
    await expect(keys.verify(key)).rejects.toThrow('no database')
    hooks.find = find
    expect(await keys.verify(key)).toMatchObject({ ok: true })
  })
})

describe('the guess limit of the key cache', () => {
  it('applies to keys never seen before, and prevents the look-up once exceeded', async () => {
    const { keys, state } = createTestCache()
    await keys.verify(makeApiKey(randomBytes))
    expect(state).toMatchObject({ guesses: 1, lookUps: 1 })
    state.refusing = true
    for (let i = 0; i < 100; i++) await expect(keys.verify(makeApiKey(randomBytes))).rejects.toThrow('too many guesses')
    expect(state).toMatchObject({ guesses: 101, lookUps: 1 })
  })

  it('counts concurrent requests with the same key once', async () => {
    const { keys, state, issue } = createTestCache()
    const key = issue()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => keys.verify(key)))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    expect(state).toMatchObject({ guesses: 1, lookUps: 1 })
  })

  it('counts each concurrent request if the first is refused', async () => {
    const { keys, state } = createTestCache()
    const key = makeApiKey(randomBytes)
    state.refusing = true
    const refused = await Promise.allSettled(Array.from({ length: 5 }, () => keys.verify(key)))
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(state).toMatchObject({ guesses: 5, lookUps: 0 })
  })

  it('does not apply to a key that was valid before, even when it is looked up again', async () => {
    const { keys, state, issue } = createTestCache()
    const key = issue()
    await keys.verify(key)
    state.refusing = true
    state.version += 1
    expect(await keys.verify(key)).toMatchObject({ ok: true })
    state.ageMs = 10_000
    expect(await keys.verify(key)).toMatchObject({ ok: true })
    expect(state).toMatchObject({ guesses: 1, lookUps: 3 })
  })

  it('applies again to a key that no longer exists', async () => {
    const { keys, state, issue, remove } = createTestCache()
    const key = issue()
    await keys.verify(key)
    remove(key)
    for (let i = 0; i < 3; i++) {
      state.version += 1
      expect(await keys.verify(key)).toEqual({ ok: false, reason: 'unknown' })
    }
    expect(state).toMatchObject({ guesses: 3, lookUps: 4 })
  })
})

describe('the key cache under attack', () => {
  it('rejects a million distinct malformed keys without look-ups or memory growth', async () => {
    const { keys, state } = createTestCache()
    const malformed = (i: number) => `svc_live_${i.toString(36).padStart(32, '0')}`
    for (let i = 0; i < 100_000; i++) await keys.verify(malformed(i))
    const before = liveHeapBytes()
    for (let i = 100_000; i < 1_100_000; i++) await keys.verify(malformed(i))
    expect(state.lookUps).toBe(0)
    expect(liveHeapBytes() - before).toBeLessThan(2 * 1024 * 1024)
  })

  it('keeps a bounded number of unknown keys', async () => {
    const { keys, state } = createTestCache()
    const first = makeApiKey(randomBytes)
    await keys.verify(first)
    for (let i = 0; i < 10_000; i++) await keys.verify(makeApiKey(randomBytes))
    expect(state.lookUps).toBe(10_001)
    await keys.verify(first)
    expect(state.lookUps).toBe(10_002)
  })
})
