import { describe, expect, it } from 'vitest'
import type { DayCompleteness } from '../../../src/store/completeness.ts'
import { type DayState, dayState, type Series } from '../../../src/web/status/day-states.ts'

const EMPTY = { punMinutes: 0, zones: 8, zonesWhole: 0, zoneMinutes: 0, assets: [] }
const day = (date: string, about: Partial<DayCompleteness> = {}): DayCompleteness => ({
  day: date,
  expectedMinutes: 1440,
  ...EMPTY,
  ...about,
})
const judge = (series: Series, completeness: DayCompleteness, now: string, synthetic = false) =>
  dayState(series, completeness, { now: Temporal.Instant.from(now), synthetic })

describe('a market day', () => {
  it.each([
    ['of 23 hours', '2026-03-29', 1380],
    ['of 25 hours', '2026-10-25', 1500],
  ])('%s is whole with all its minutes, and partial with fewer', (_name, date, minutes) => {
    const about = { expectedMinutes: minutes }
    expect(judge('PUN', day(date, { ...about, punMinutes: minutes }), '2026-12-01T00:00:00Z')).toBe('whole')
    expect(judge('PUN', day(date, { ...about, punMinutes: minutes - 15 }), '2026-12-01T00:00:00Z')).toBe('partial')
    expect(judge('zones', day(date, { ...about, zoneMinutes: 8 * minutes }), '2026-12-01T00:00:00Z')).toBe('whole')
    expect(judge('zones', day(date, { ...about, zoneMinutes: 7 * minutes }), '2026-12-01T00:00:00Z')).toBe('partial')
  })

  it.each<[string, Series, string, string, DayState]>([
    ['the PUN of tomorrow before 15:00', 'PUN', '2026-11-22', '2026-11-21T13:59:00Z', 'due'],
    ['the PUN of tomorrow from 15:00 on', 'PUN', '2026-11-22', '2026-11-21T14:00:00Z', 'missing'],
    ['gas of today', 'PSV', '2026-11-21', '2026-11-21T10:00:00Z', 'missing'],
    ['a Sunday of gas at the hub', 'TTF', '2026-11-22', '2026-12-01T00:00:00Z', 'closed'],
    ['a Friday of gas at the hub', 'TTF', '2026-11-20', '2026-12-01T00:00:00Z', 'missing'],
    ['a Good Friday of oil', 'Brent', '2026-04-03', '2026-12-01T00:00:00Z', 'closed'],
    ['a day of oil that is listed late', 'Brent', '2026-11-20', '2026-11-24T10:00:00Z', 'due'],
    ['a Wednesday of allowances', 'CO2', '2026-11-18', '2026-12-01T00:00:00Z', 'closed'],
  ])('without a price has the state of the calendar: %s', (_name, series, date, now, state) => {
    expect(judge(series, day(date), now)).toBe(state)
  })

  it('without a synthetic gas price is not late before the evening is over', () => {
    expect(judge('PSV', day('2026-11-21'), '2026-11-21T10:00:00Z', true)).toBe('due')
    expect(judge('PSV', day('2026-11-20'), '2026-11-21T10:00:00Z', true)).toBe('missing')
    expect(judge('PUN', day('2026-11-21'), '2026-11-21T10:00:00Z', true)).toBe('missing')
  })

  it('without a synthetic hub price is due on a Monday, unlike the real one', () => {
    expect(judge('TTF', day('2026-11-23'), '2026-11-23T10:00:00Z', true)).toBe('due')
    expect(judge('TTF', day('2026-11-23'), '2026-11-23T10:00:00Z')).toBe('closed')
    expect(judge('TTF', day('2026-11-22'), '2026-11-23T10:00:00Z', true)).toBe('closed')
  })

  it('with a price is whole, whatever the calendar says', () => {
    expect(judge('TTF', day('2026-11-22', { assets: ['TTF'] }), '2026-12-01T00:00:00Z')).toBe('whole')
  })
})
