import { describe, expect, it } from 'vitest'
import { accuracyByHour, accuracyByMonth, accuracyByWeekday } from '../../../src/market/forecast-accuracy.ts'

const day = (targetDate: string, actual: number, benchmark?: number) => ({
  ...{ targetDate, p10: 90, p50: 100, p90: 110, actual },
  benchmark,
})

describe('the accuracy of daily forecasts', () => {
  it('by month gives the share within the band, edges included, and the mean errors', () => {
    const months = accuracyByMonth([day('2026-03-31', 110, 104), day('2026-03-01', 89, 100), day('2026-04-01', 100)])
    expect([...months]).toEqual([
      ['2026-03', { n: 2, mae: 10.5, benchmarkMae: 8.5, inside: 0.5 }],
      ['2026-04', { n: 1, mae: 0, benchmarkMae: undefined, inside: 1 }],
    ])
  })

  it('by weekday begins on Monday', () => {
    const weekdays = accuracyByWeekday([day('2026-03-29', 95), day('2026-03-23', 101), day('2026-10-25', 105)])
    expect([...weekdays].map(([weekday, { n, mae }]) => [weekday, n, mae])).toEqual([
      [1, 1, 1],
      [7, 2, 5],
    ])
  })
})

describe('the accuracy of hourly forecasts', () => {
  const hours = (targetDate: string, count: number) => ({
    ...{ targetDate, p10: Array(count).fill(-1), p50: Array(count).fill(0), p90: Array(count).fill(1) },
    actual: Array.from({ length: count }, (_, hour) => hour),
    benchmark: undefined,
  })

  it('is by clock hour: none for 02:00 in March, and both hours of October count for it', () => {
    const march = accuracyByHour([hours('2026-03-29', 23)])
    expect(march.has(2)).toBe(false)
    expect(march.get(3)?.mae).toBe(2)
    const october = accuracyByHour([hours('2026-10-25', 25)])
    expect(october.get(2)).toMatchObject({ n: 2, mae: 2.5 })
    expect(october.get(23)?.mae).toBe(24)
  })
})
