import { describe, expect, it } from 'vitest'
import { MarketDayClock } from '../../../../src/api/http/market-day-clock.ts'

describe('MarketDayClock', () => {
  it('switches days at midnight in Rome, on change days too, and accepts earlier instants', () => {
    const clock = new MarketDayClock()
    const days = [
      ['2026-03-28T22:59:59.999Z', '2026-03-28'],
      ['2026-03-28T23:00:00Z', '2026-03-29'],
      ['2026-03-29T21:59:59Z', '2026-03-29'], // after 23 hours
      ['2026-03-29T22:00:00Z', '2026-03-30'],
      ['2026-10-25T22:59:59Z', '2026-10-25'], // after 25 hours
      ['2026-10-25T23:00:00Z', '2026-10-26'],
      ['2026-03-28T23:00:00Z', '2026-03-29'],
    ] as const
    for (const [instant, day] of days) expect(clock.dayOf(Temporal.Instant.from(instant)).text).toBe(day)
  })
})
