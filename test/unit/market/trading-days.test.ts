import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { easterSunday, isTradingHoliday } from '../../../src/market/trading-days.ts'

const anyYear = fc.integer({ min: 1583, max: 4099 })

describe('Easter', () => {
  it.each([
    '2004-04-11',
    '2008-03-23',
    '2011-04-24',
    '2019-04-21',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2035-03-25',
    // The earliest and latest possible dates, and years in which simpler formulas fail.
    '1818-03-22',
    '1943-04-25',
    '1954-04-18',
    '1981-04-19',
    '2038-04-25',
    '2049-04-18',
    '2076-04-19',
    '2285-03-22',
  ])('is on %s, and its Monday is a trading holiday', (sunday) => {
    const day = Temporal.PlainDate.from(sunday)
    expect(String(easterSunday(day.year))).toBe(sunday)
    expect(isTradingHoliday(day.add({ days: 1 }))).toBe(true)
  })

  it('is a Sunday from 22 March to 25 April in every year', () => {
    fc.assert(
      fc.property(anyYear, (year) => {
        const day = easterSunday(year)
        expect([day.year, day.dayOfWeek]).toEqual([year, 7])
        expect(String(day) >= `${year}-03-22` && String(day) <= `${year}-04-25`).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('trading holidays', () => {
  it('are five days in 2026', () => {
    const closed = daysOf(2026).filter(isTradingHoliday).map(String)
    expect(closed).toEqual(['2026-01-01', '2026-04-03', '2026-04-06', '2026-12-25', '2026-12-26'])
  })

  it('include a Good Friday in March, as in 2024', () => {
    expect(isTradingHoliday(Temporal.PlainDate.from('2024-03-29'))).toBe(true)
  })

  it.each(['2026-01-06', '2026-04-05', '2026-04-25', '2026-05-01', '2026-08-15'])('do not include %s', (day) => {
    expect(isTradingHoliday(Temporal.PlainDate.from(day))).toBe(false)
  })
})

function daysOf(year: number) {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  return Array.from({ length: first.daysInYear }, (_, i) => first.add({ days: i }))
}
