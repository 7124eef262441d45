import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../../../src/api/access/api-key.ts'
import { KeyRing } from '../../../../src/api/access/key-ring.ts'
import type { ApiKeyRecord } from '../../../../src/store/api-keys.ts'
import { liveHeapBytes } from '../../../support/heap.ts'

/** A ring over keys held in a map, with a version and a clock that the test moves. */
function ringOver() {
  const stored = new Map<string, ApiKeyRecord>()
  const state = { version: 1, ageMs: 0, now: Temporal.Instant.from('2026-11-21T10:00:00Z'), lookUps: 0 }
  const find = async (sha256: string) => {
    state.lookUps += 1
    return stored.get(sha256)
  }
  const hooks = { find }
  const ring = new KeyRing({
    find: (sha256) => hooks.find(sha256),
    version: () => ({ number: state.version, ageMs: state.ageMs }),
    now: () => state.now,
  })
  const issue = (about: Partial<ApiKeyRecord> = {}) => {
    const key = makeApiKey(randomBytes)
    stored.set(hashApiKey(key), recordOf(key, about))
    return key
  }
  const change = (key: string, about: Partial<ApiKeyRecord>) => stored.set(hashApiKey(key), recordOf(key, about))
  return { ring, state, hooks, find, issue, change }
}

function recordOf(key: string, about: Partial<ApiKeyRecord>): ApiKeyRecord {
  return {
    id: 'key_000000000000',
    hint: apiKeyHint(key),
    plan: 'Pro',
    owner: 'a test',
    email: null,
    requestsPerMinute: null,
    requestsPerMonth: null,
    attribution: null,
    createdAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
    expiresAt: null,
    revokedAt: null,
    rotatedFrom: null,
    ...about,
  }
}

const at = (text: string) => Temporal.Instant.from(text)

describe('the key ring judges', () => {
  it('a good key, and says whose it is', async () => {
    const { ring, issue } = ringOver()
    expect(await ring.judge(issue({ plan: 'Trading' }))).toMatchObject({ ok: true, key: { plan: 'Trading' } })
  })

  it.each(['', 'svc_live_', 'svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(10_000), '\u0000', "' or true --"])(
    'a malformed key without a look-up: %j',
    async (text) => {
      const { ring, state } = ringOver()
      expect(await ring.judge(text)).toEqual({ ok: false, reason: 'malformed' })
      expect(state.lookUps).toBe(0)
    },
  )

  it('a well-formed key that nobody was given', async () => {
    const { ring } = ringOver()
    expect(await ring.judge(makeApiKey(randomBytes))).toEqual({ ok: false, reason: 'unknown' })
  })

  it('a revoked key, also one that has expired since', async () => {
    const { ring, issue } = ringOver()
    const key = issue({ revokedAt: at('2026-05-01T00:00:00Z'), expiresAt: at('2026-06-01T00:00:00Z') })
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'revoked' })
  })

  it('a key as expired from the very instant on, remembered or not', async () => {
    const { ring, state, issue } = ringOver()
    const key = issue({ expiresAt: at('2026-11-21T10:00:01Z') })
    expect(await ring.judge(key)).toMatchObject({ ok: true })
    state.now = at('2026-11-21T10:00:01Z')
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'expired' })
    expect(state.lookUps).toBe(1)
  })
})

describe('the key ring remembers', () => {
  it('a key once it has been looked up', async () => {
    const { ring, state, issue } = ringOver()
    const key = issue()
    for (let i = 0; i < 100; i++) await ring.judge(key)
    expect(state.lookUps).toBe(1)
  })

  it('that a key is unknown', async () => {
    const { ring, state } = ringOver()
    const key = makeApiKey(randomBytes)
    for (let i = 0; i < 100; i++) await ring.judge(key)
    expect(state.lookUps).toBe(1)
  })

  it('nothing once any key has changed: a revoked key dies, a new one lives', async () => {
    const { ring, state, issue, change } = ringOver()
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    await ring.judge(key)
    await ring.judge(unissued)
    change(key, { revokedAt: state.now })
    change(unissued, {})
    expect(await ring.judge(key)).toMatchObject({ ok: true })
    state.version += 1
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await ring.judge(unissued)).toMatchObject({ ok: true })
  })

  it('nothing while the version has not been heard of for four seconds', async () => {
    const { ring, state, issue, change } = ringOver()
    const key = issue()
    await ring.judge(key)
    state.ageMs = 4_000
    await ring.judge(key)
    expect(state.lookUps).toBe(1)
    state.ageMs = 4_001
    change(key, { revokedAt: state.now })
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(state.lookUps).toBe(3)
  })

  it('nothing that was read while a key was being changed', async () => {
    const { ring, state, hooks, find, issue, change } = ringOver()
    const [key, unissued] = [issue(), makeApiKey(randomBytes)]
    hooks.find = async (sha256) => {
      const asItWas = await find(sha256)
      state.version += 1
      return asItWas
    }
    expect(await ring.judge(key)).toMatchObject({ ok: true })
    expect(await ring.judge(unissued)).toEqual({ ok: false, reason: 'unknown' })
    hooks.find = find
    change(key, { revokedAt: state.now })
    change(unissued, {})
    expect(await ring.judge(key)).toEqual({ ok: false, reason: 'revoked' })
    expect(await ring.judge(unissued)).toMatchObject({ ok: true })
  })

  it('nothing of a look-up that failed, which fails the request', async () => {
    const { ring, hooks, find, issue } = ringOver()
    const key = issue()
    hooks.find = () => Promise.reject(new Error('no database'))
    await expect(ring.judge(key)).rejects.toThrow('no database')
    hooks.find = find
    expect(await ring.judge(key)).toMatchObject({ ok: true })
  })
})

describe('the key ring under attack', () => {
  it('answers a million distinct malformed keys without a look-up and without keeping any', {
    timeout: 60_000,
  }, async () => {
    const { ring, state } = ringOver()
    const malformed = (i: number) => `svc_live_${i.toString(36).padStart(32, '0')}`
    for (let i = 0; i < 100_000; i++) await ring.judge(malformed(i))
    const before = liveHeapBytes()
    for (let i = 100_000; i < 1_100_000; i++) await ring.judge(malformed(i))
    expect(state.lookUps).toBe(0)
    expect(liveHeapBytes() - before).toBeLessThan(2 * 1024 * 1024)
  })

  it('keeps a bounded number of unknown keys', async () => {
    const { ring, state } = ringOver()
    const first = makeApiKey(randomBytes)
    await ring.judge(first)
    for (let i = 0; i < 10_000; i++) await ring.judge(makeApiKey(randomBytes))
    expect(state.lookUps).toBe(10_001)
    await ring.judge(first)
    expect(state.lookUps).toBe(10_002)
  })
})
