import { describe, expect, it } from 'vitest'
import type { DayCompleteness } from '../../../src/store/completeness.ts'
import { type DayState, dayState, type Series } from '../../../src/web/status/day-states.ts'

const EMPTY = { expectedMinutes: 1440, punMinutes: 0, zones: 8, zonesWhole: 0, zoneMinutes: 0, assets: [] }
const LATER = '2026-12-01T00:00:00Z'
const judge = (series: Series, day: string, about: Partial<DayCompleteness>, now = LATER, synthetic = false) =>
  dayState(series, { day, ...EMPTY, ...about }, { now: Temporal.Instant.from(now), synthetic })

describe('a market day', () => {
  it.each([
    ['of 23 hours', '2026-03-29', 1380],
    ['of 25 hours', '2026-10-25', 1500],
  ])('%s is whole with all its minutes, and partial with fewer', (_name, date, minutes) => {
    const about = { expectedMinutes: minutes }
    expect(judge('PUN', date, { ...about, punMinutes: minutes })).toBe('whole')
    expect(judge('PUN', date, { ...about, punMinutes: minutes - 15 })).toBe('partial')
    expect(judge('zones', date, { ...about, zoneMinutes: 8 * minutes })).toBe('whole')
    expect(judge('zones', date, { ...about, zoneMinutes: 7 * minutes })).toBe('partial')
  })

  it.each<[string, Series, string, string, DayState, 'synthetic'?]>([
    ['the PUN of tomorrow before 15:00', 'PUN', '2026-11-22', '2026-11-21T13:59:00Z', 'due'],
    ['the PUN of tomorrow from 15:00 on', 'PUN', '2026-11-22', '2026-11-21T14:00:00Z', 'missing'],
    ['gas of today', 'PSV', '2026-11-21', '2026-11-21T10:00:00Z', 'missing'],
    ['synthetic gas of today until the evening', 'PSV', '2026-11-21', '2026-11-21T10:00:00Z', 'due', 'synthetic'],
    ['synthetic gas of yesterday', 'PSV', '2026-11-20', '2026-11-21T10:00:00Z', 'missing', 'synthetic'],
    ['a synthetic PUN of today', 'PUN', '2026-11-21', '2026-11-21T10:00:00Z', 'missing', 'synthetic'],
    ['a Monday of gas at the hub', 'TTF', '2026-11-23', '2026-11-23T10:00:00Z', 'closed'],
    ['a Monday of synthetic gas at the hub', 'TTF', '2026-11-23', '2026-11-23T10:00:00Z', 'due', 'synthetic'],
    ['a Sunday of synthetic gas at the hub', 'TTF', '2026-11-22', '2026-11-23T10:00:00Z', 'closed', 'synthetic'],
    ['a Sunday of gas at the hub', 'TTF', '2026-11-22', LATER, 'closed'],
    ['a Friday of gas at the hub', 'TTF', '2026-11-20', LATER, 'missing'],
    ['a Good Friday of oil', 'Brent', '2026-04-03', LATER, 'closed'],
    ['a day of oil that is listed late', 'Brent', '2026-11-20', '2026-11-24T10:00:00Z', 'due'],
    ['a Wednesday of allowances', 'CO2', '2026-11-18', LATER, 'closed'],
  ])('without a price has the state of the calendar: %s', (_name, series, date, now, state, synthetic) => {
    expect(judge(series, date, {}, now, synthetic !== undefined)).toBe(state)
  })

  it('with a price is whole, whatever the calendar says', () => {
    expect(judge('TTF', '2026-11-22', { assets: ['TTF'] })).toBe('whole')
  })
})
