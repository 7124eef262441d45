import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../src/market/duration.ts'

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['0d', 0],
    ['90s', 90],
    ['30m', 1_800],
    ['12h', 43_200],
    ['7d', 604_800],
  ])('reads %s', (text, seconds) => expect(parseDuration(text)?.total('seconds')).toBe(seconds))

  it('counts a day as 24 hours, even across a daylight-saving change', () => {
    const change = Temporal.Instant.from('2026-03-28T12:00:00Z')
    expect(change.add(parseDuration('1d') ?? '').toString()).toBe('2026-03-29T12:00:00Z')
  })

  it.each(['', '7', 'd', '7 d', '-1d', '1.5h', '7D', '1w', '٧d', '1000000d', '7d7d'])('refuses "%s"', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  )
})
