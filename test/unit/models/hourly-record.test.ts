/** Hourly data as known at an instant: nothing later, and past days as forecast with the same lead time. */
import { describe, expect, it } from 'vitest'
import { dayNumber } from '../../../models/calendar.ts'
import { historyAt, type PriceRevision } from '../../../models/history.ts'
import { hourOn } from '../../../models/hourly/history.ts'
import { learnQuarterShape } from '../../../models/hourly/quarter-shape.ts'
import { type HourlyRecord, type HoursRevision, hourlyHistoryAt } from '../../../models/hourly/record.ts'
import { quarterOffsets } from '../../../src/market/quarter-shape.ts'
import { syntheticRecord } from '../../support/invented-prices.ts'

const at = (text: string) => Temporal.Instant.from(text)
const numberOf = (text: string) => dayNumber(Temporal.PlainDate.from(text))
const hours = (value: number) => new Float64Array(24).fill(value)
const revision = (day: string, value: number, knownAt: string): HoursRevision => ({
  day: numberOf(day),
  hours: hours(value),
  knownAtMs: at(knownAt).epochMilliseconds,
})
const price = (day: string, value: number, knownAt: string): PriceRevision => ({
  ...{ day: Temporal.PlainDate.from(day), price: value, hours: hours(value), knownAt: at(knownAt) },
})

const daily = syntheticRecord({ days: 30, firstDay: '2026-03-01' })
const record: HourlyRecord = {
  zones: {
    nord: [
      price('2026-03-27', 1, '2026-03-26T12:00:00Z'),
      price('2026-03-28', 2, '2026-03-27T12:00:00Z'),
      price('2026-03-28', 3, '2026-03-28T15:00:00Z'),
      price('2026-03-29', 4, '2026-03-28T12:00:00Z'),
    ],
  },
  fundamentals: {
    nord: {
      // Each day as known in the evening two days before, in the morning of the day before, and when it was over.
      wind: ['2026-03-27', '2026-03-28', '2026-03-29'].flatMap((day, i) => {
        const before = Temporal.PlainDate.from(day).subtract({ days: 1 })
        return [
          revision(day, 10 * i + 1, `${before.subtract({ days: 1 })}T18:00:00Z`),
          revision(day, 10 * i + 2, `${before}T08:00:00Z`),
          revision(day, 10 * i + 3, `${day}T23:00:00Z`),
        ]
      }),
    },
  },
}
const known = (instant: string) => hourlyHistoryAt(record, historyAt(daily, at(instant)), 'nord')

describe('an hourly history', () => {
  it('excludes prices and corrections that came later', () => {
    const priceAt = (instant: string, day: string) => hourOn(known(instant).prices, numberOf(day), 5)
    expect(priceAt('2026-03-28T10:15:00Z', '2026-03-28')).toBe(2)
    expect(priceAt('2026-03-28T10:15:00Z', '2026-03-29')).toBeNaN()
    expect(priceAt('2026-03-28T15:00:00Z', '2026-03-28')).toBe(3)
  })

  it('does not depend on future values', () => {
    const nord = (record.zones.nord ?? []).map((one, i) => (i < 2 ? one : { ...one, price: 7, hours: hours(7) }))
    const history = historyAt(daily, at('2026-03-28T10:15:00Z'))
    expect(hourlyHistoryAt({ ...record, zones: { nord } }, history, 'nord')).toEqual(known('2026-03-28T10:15:00Z'))
  })

  it.each([
    ['before the auction: each day as seen on the morning before it', '2026-03-28T10:15:00Z', [2, 12, 22]],
    [
      'in the evening: as seen two evenings before, the next auction being a day farther off',
      '2026-03-27T19:00:00Z',
      [1, 11, 21],
    ],
  ])('%s', (_, instant, seen) => {
    const { wind } = known(instant).fundamentals
    const days = ['2026-03-27', '2026-03-28', '2026-03-29'].map(numberOf)
    expect(days.map((day) => wind && hourOn(wind, day, 0))).toEqual(seen)
  })
})

describe('the shape of quarter-hours', () => {
  /** Quarter-hours on a straight line from hour to hour; in the hour from 8:00 the first one is 3 higher and the others 1 lower. */
  const day = (text: string, slope: number, count = 96) => ({
    day: text,
    intervals: Array.from({ length: count }, (_, i) => {
      const quarter = i % 4
      const above = Math.floor(i / 4) === 8 ? [3, -1, -1, -1][quarter] : 0
      return 100 + (slope * (i - 47.5)) / 4 + (above as number)
    }),
  })
  const days = Array.from({ length: 20 }, (_, i) =>
    day(Temporal.PlainDate.from('2026-01-01').add({ days: i }).toString(), (i % 5) - 2),
  )

  const shape = learnQuarterShape(days) ?? expect.fail('no shape')

  it('is recovered: the slope from hour to hour, and the offsets within an hour', () => {
    expect(shape).toMatchObject({ learnedTo: '2026-01-20', days: 20 })
    expect(shape.slopes.map((share) => Number(share.toFixed(6)))).toEqual([-0.375, -0.125, 0.125, 0.375])
    expect(shape.offsets.slice(32, 36).map((offset) => Number(offset.toFixed(6)))).toEqual([3, -1, -1, -1])
  })

  it('keeps the mean of each hour on days of 23 and 25 hours', () => {
    for (const count of [23, 25]) {
      const prices = Array.from({ length: count }, (_, i) => 50 + i * i)
      const clock = Array.from({ length: count }, (_, i) => Math.min(23, i))
      const offsets = quarterOffsets(shape, prices, clock)
      expect(offsets).toHaveLength(count * 4)
      for (let hour = 0; hour < count; hour++)
        expect(offsets.slice(hour * 4, hour * 4 + 4).reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 9)
    }
  })

  it('is not learned from hourly prices or fewer than 14 days', () => {
    expect(learnQuarterShape(days.slice(0, 13))).toBeUndefined()
    expect(learnQuarterShape(days.map(({ day }) => ({ day, intervals: Array(24).fill(1) })))).toBeUndefined()
    expect(learnQuarterShape([...days.slice(0, 13), day('2026-03-29', 1, 92)])?.days).toBe(14)
  })
})
