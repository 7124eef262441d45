import { describe, expect, it } from 'vitest'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'

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
