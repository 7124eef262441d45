import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiKeyHint, hashApiKey, isWellFormedApiKey, makeApiKey } from '../../../../src/api/access/api-key.ts'

describe('API keys', () => {
  it('match the documented format and their own checksum', () => {
    const key = makeApiKey(randomBytes)
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32}$/)
    expect(isWellFormedApiKey(key)).toBe(true)
  })

  it('are unique and use all 62 characters evenly', () => {
    const keys = Array.from({ length: 2_000 }, () => makeApiKey(randomBytes))
    expect(new Set(keys).size).toBe(keys.length)
    const counts = Map.groupBy(
      keys.flatMap((key) => [...key.slice(9, 35)]),
      (character) => character,
    )
    expect(counts.size).toBe(62)
    for (const { length } of counts.values()) expect(length).toBeGreaterThan(600)
  })

  it('are rejected if any single character is wrong', () => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 40 }), fc.constantFrom(...'0aZ9xQ'), (position, character) => {
        const key = makeApiKey(randomBytes)
        fc.pre(key[position] !== character)
        expect(isWellFormedApiKey(key.slice(0, position) + character + key.slice(position + 1))).toBe(false)
      }),
    )
  })

  it.each([
    '',
    'svc_live_',
    ' svc_live_',
    'svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'svc_test_00000000000000000000000000000000',
    'x'.repeat(10_000),
    '\u0000',
    "' or true --",
  ])('are rejected as malformed: %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false)
  })

  it('are stored as a hash and shown as a hint that does not reveal them', () => {
    const key = 'svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAA000000'
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(apiKeyHint(key)).toBe('svc_live_AAA…')
  })
})
