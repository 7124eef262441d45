import { describe, expect, it } from 'vitest'
import { clockHours } from '../../../models/clock-hours.ts'

const counted = (count: number) => Array.from({ length: count }, (_, index) => index)
const quarters = (count: number) => counted(count * 4).map((index) => Math.floor(index / 4) + (index % 4) * 0.1)

describe('24 clock hours', () => {
  it('of an ordinary day are its hours', () => expect([...clockHours(counted(24))]).toEqual(counted(24)))

  it('of a day with 23 hours interpolate the missing 02:00', () => {
    const hours = clockHours(counted(23))
    expect([...hours.slice(0, 5)]).toEqual([0, 1, 1.5, 2, 3])
    expect(hours[23]).toBe(22)
  })

  it('of a day with 25 hours average the repeated 02:00', () => {
    const hours = clockHours(counted(25))
    expect([...hours.slice(0, 5)]).toEqual([0, 1, 2.5, 4, 5])
    expect(hours[23]).toBe(24)
  })

  it.each([23, 24, 25])('of the quarter-hours of a day with %i hours are those of its hourly means', (count) => {
    const means = counted(count).map((hour) => hour + 0.15)
    clockHours(quarters(count)).forEach((hour, index) => {
      expect(hour).toBeCloseTo(clockHours(means)[index] as number, 12)
    })
  })

  it.each([0, 1, 22, 26, 90, 97])('are refused for %i intervals', (count) => {
    expect(() => clockHours(counted(count))).toThrow(`not ${count} intervals`)
  })
})
