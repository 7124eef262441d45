import { describe, expect, it } from 'vitest'
import { spreadHistory, usualRanges, volatilities } from '../../../src/market/spread-history.ts'

const priced = (date: string, value: number) => ({ date, value })

describe('daily spreads', () => {
  it('use the latest gas and allowance prices of the previous seven days, or are missing', () => {
    const days = spreadHistory({
      pun: [priced('2026-03-29', 100), priced('2026-04-04', 90), priced('2026-04-05', 80)],
      psv: [priced('2026-03-28', 26.5)],
      ttf: [priced('2026-03-27', 25)],
      co2: [priced('2026-03-29', 53)],
    })
    expect(days).toEqual([
      { date: '2026-03-29', spark: 50, clean: expect.closeTo(50 - 20.2, 9), psvTtf: 1.5 },
      { date: '2026-04-04', spark: 40, clean: expect.closeTo(40 - 20.2, 9), psvTtf: undefined },
      { date: '2026-04-05', spark: undefined, clean: undefined, psvTtf: undefined },
    ])
  })
})

describe('the usual range', () => {
  it('covers the same days of earlier years, three days either side, or is missing', () => {
    const history = [
      priced('2024-10-22', -4),
      priced('2024-10-21', -99),
      priced('2025-10-25', 7),
      priced('2025-10-28', 9),
    ]
    expect([...usualRanges(history, ['2026-10-25', '2026-03-29'], 2)]).toEqual([['2026-10-25', { low: -4, high: 9 }]])
    expect([...usualRanges(history, ['2026-10-25'], 1)]).toEqual([['2026-10-25', { low: 7, high: 9 }]])
  })
})

describe('volatility', () => {
  it('is the standard deviation of the last returns, excluding those from prices at or below zero', () => {
    const days = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']
    const found = volatilities(
      [100, 110, 0, 50, 60].map((value, i) => priced(days[i] ?? '', value)),
      2,
    )
    // Returns: +10 %, −100 %, none from 0, +20 %.
    expect(found.map(({ date }) => date)).toEqual(['2026-10-25', '2026-10-27'])
    expect(found[0]?.value).toBeCloseTo(Math.SQRT1_2 * 1.1, 9)
    expect(volatilities([priced('2026-10-25', 1)], 2)).toEqual([])
  })
})
