import { describe, expect, it } from 'vitest'
import { retryAfterSeconds } from '../../../src/platform/fetch/http-client.ts'

const start = Temporal.Instant.from('2026-11-21T12:00:00Z')

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    ['Sat, 21 Nov 2026 12:05:00 GMT', 300],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%s is %s seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, start)).toBe(seconds)
  })
})
