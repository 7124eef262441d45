import { describe, expect, it } from 'vitest'
import { priceRecord, usualPublication } from '../../../jobs/forecasts/price-record.ts'

const day = Temporal.PlainDate.from

describe('the usual publication', () => {
  it.each([
    ['PUN', '2026-03-30', '2026-03-29T10:55:00Z'],
    ['PUN', '2026-10-25', '2026-10-24T10:55:00Z'],
    ['PUN', '2026-10-26', '2026-10-25T11:55:00Z'],
    ['PSV', '2026-01-02', '2026-01-01T18:00:00Z'],
    ['TTF', '2026-01-02', '2026-01-02T17:00:00Z'],
  ] as const)('of %s for %s is %s', (asset, text, instant) => {
    expect(usualPublication(asset, day(text)).toString()).toBe(instant)
  })
})

describe('a first version', () => {
  const knownAt = (day: string, fetchedAt: string, synthetic: boolean) => {
    const version = { day, price: 30, intervals: null, fetchedAtMs: Date.parse(fetchedAt), synthetic }
    const versions = { PUN: [], PSV: [version], TTF: [] }
    return priceRecord({ versions, holidays: [] }).revisions.PSV[0]?.knownAt.toString()
  }

  it.each([
    ['loaded weeks later counts from its publication', '2026-01-20T09:00:00Z', false, '2026-01-01T18:00:00Z'],
    ['read within days counts from then', '2026-01-03T09:00:00Z', false, '2026-01-03T09:00:00Z'],
    [
      'that is synthetic counts from the publication it simulates',
      '2026-01-03T09:00:00Z',
      true,
      '2026-01-01T18:00:00Z',
    ],
  ] as const)('%s', (_, fetchedAt, synthetic, instant) => {
    expect(knownAt('2026-01-02', fetchedAt, synthetic)).toBe(instant)
  })
})
