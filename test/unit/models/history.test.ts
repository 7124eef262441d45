import { describe, expect, it } from 'vitest'
import { dayNumber, hasMarket, marketDay, weekday } from '../../../models/calendar.ts'
import { historyAt, lastDay, type PriceRecord, priceOn } from '../../../models/history.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const number = (text: string) => dayNumber(day(text))
const at = (text: string) => Temporal.Instant.from(text)

describe('day numbers', () => {
  it('convert back to the same day across change days, leap days and the epoch', () => {
    for (const text of ['1969-12-31', '1970-01-01', '2024-02-29', '2026-03-29', '2026-10-25'])
      expect(marketDay(number(text)).toString()).toBe(text)
    expect(number('2026-03-30') - number('2026-03-28')).toBe(2)
    expect(number('2026-10-26') - number('2026-10-24')).toBe(2)
  })

  it('give the weekday: 2026-03-29 is a Sunday', () => {
    expect(weekday(number('2026-03-29'))).toBe(6)
    expect(weekday(number('1969-12-29'))).toBe(0)
  })

  it('give the trading days of TTF', () => {
    const easter = ['2026-04-02', '2026-04-03', '2026-04-06', '2026-04-07'].map(number)
    expect(easter.map((day) => hasMarket('TTF', day))).toEqual([true, false, false, true])
    expect(hasMarket('TTF', number('2026-12-25'))).toBe(false)
    expect(hasMarket('PSV', number('2026-12-25'))).toBe(true)
  })
})

describe('a history', () => {
  const record: PriceRecord = {
    revisions: {
      PUN: [
        { day: day('2026-01-01'), price: 100, knownAt: at('2025-12-31T11:55:00Z') },
        { day: day('2026-01-01'), price: 90, knownAt: at('2026-01-05T08:00:00Z') },
        { day: day('2026-01-03'), price: 0, knownAt: at('2026-01-02T11:55:00Z') },
        { day: day('2026-01-04'), price: -20, knownAt: at('2026-01-03T11:55:00Z') },
      ],
      PSV: [],
      TTF: [],
    },
    holidays: [day('2026-01-06')],
  }

  it('has the prices published by then in the revision of that time, and gaps as NaN', () => {
    const { series } = historyAt(record, at('2026-01-03T11:54:59Z'))
    expect(lastDay(series.PUN)).toBe(number('2026-01-03'))
    expect([...series.PUN.prices]).toEqual([100, Number.NaN, 0])
    expect(priceOn(series.PUN, number('2026-01-04'))).toBeNaN()
  })

  it('has a correction from its instant on, and negative prices', () => {
    const { series } = historyAt(record, at('2026-01-05T08:00:00Z'))
    expect([...series.PUN.prices]).toEqual([90, Number.NaN, 0, -20])
  })

  it('may be empty', () => {
    const { series } = historyAt(record, at('2020-01-01T00:00:00Z'))
    expect(lastDay(series.PUN)).toBeUndefined()
    expect(lastDay(series.TTF)).toBeUndefined()
  })

  it('refuses a non-numeric price, and days without 24 clock hours', () => {
    const one = { day: day('2026-01-01'), knownAt: at('2025-12-31T11:55:00Z') }
    const of = (price: number, hours?: number[]) => ({
      ...record,
      revisions: { ...record.revisions, PUN: [{ ...one, price, ...(hours && { hours }) }] },
    })
    const now = at('2026-02-01T00:00:00Z')
    expect(() => historyAt(of(Number.NaN), now)).toThrow('price of 2026-01-01 is NaN')
    expect(() => historyAt(of(1, [1, 2]), now)).toThrow('2026-01-01 has 2 clock hours')
  })
})
