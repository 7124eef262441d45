/** The hourly band from past errors, whose size varies over time and by kind of day. */
import { describe, expect, it } from 'vitest'
import { bandsAfter, ErrorScales, initialShares } from '../../../models/bands/error-shares.ts'
import type { DayNumber } from '../../../models/calendar.ts'
import { seededRandom } from '../../../models/numeric/random.ts'

const CELLS = 24
const DAYS = 220
const ORIGIN = DAYS - 1
const SHARES = initialShares(CELLS)
/** Every seventh day is of the second kind. */
const KINDS = { count: 2, of: (day: DayNumber) => (day % 7 === 6 ? 1 : 0) }

/** Symmetric errors of up to `size` on a day, €/MWh. */
function errorsOf(size: (day: DayNumber) => number) {
  const random = seededRandom(3)
  const values = Float64Array.from(
    { length: DAYS * CELLS },
    (_, at) => (2 * random() - 1) * size(Math.floor(at / CELLS)),
  )
  return { firstDay: 0, cells: CELLS, values }
}

/** Mean width of a target's hourly bands, made the day before. */
function widthOf(errors: ErrorScales, origin = ORIGIN): number {
  const band = bandsAfter(errors, origin, SHARES) ?? expect.fail('too few errors')
  return band.above.reduce((sum, above, hour) => sum + above - (band.below[hour] as number), 0) / CELLS
}

describe('the band of a day', () => {
  it('matches the quantiles of the errors', () => {
    const errors = errorsOf(() => 10)
    const width = widthOf(new ErrorScales(errors, 1))
    expect(width).toBeGreaterThan(15)
    expect(width).toBeLessThan(17)
  })

  it('is wider for kinds of day with larger errors, if kinds are distinguished', () => {
    const errors = errorsOf((day) => (KINDS.of(day) === 1 ? 30 : 10))
    const [sunday, monday] = [DAYS - 4, DAYS - 3].map((day) => day - 1) as [DayNumber, DayNumber]
    expect([sunday, monday].map((origin) => KINDS.of(origin + 1))).toEqual([1, 0])
    const distinct = new ErrorScales(errors, 1, { kinds: KINDS })
    const mixed = new ErrorScales(errors, 1)
    expect(widthOf(distinct, sunday) / widthOf(distinct, monday)).toBeGreaterThan(1.7)
    expect(widthOf(mixed, sunday) / widthOf(mixed, monday)).toBeLessThan(1.3)
  })

  it('adapts faster to a week of larger errors with a recency exponent', () => {
    const errors = errorsOf((day) => (day > ORIGIN - 7 ? 40 : 10))
    const widthWith = (recency: number) => widthOf(new ErrorScales(errors, 1, { recency }))
    expect(widthWith(0.5)).toBeGreaterThan(1.3 * widthWith(0))
  })

  it('needs 60 days of errors after the seven days that give the first scale', () => {
    const bandAfter = (days: number) => {
      const errors = errorsOf((day) => (day < DAYS - days ? Number.NaN : 10))
      return bandsAfter(new ErrorScales(errors, 1), ORIGIN, SHARES)
    }
    expect(bandAfter(66)).toBeUndefined()
    expect(bandAfter(67)).toBeDefined()
  })

  it('ignores a kind of day without errors, and missing hours', () => {
    const still = errorsOf((day) => (KINDS.of(day) === 1 ? 0 : 10))
    still.values.fill(Number.NaN, 0, 24)
    expect(widthOf(new ErrorScales(still, 1, { kinds: KINDS, recency: 0.4 }))).toBeGreaterThan(10)
  })
})
