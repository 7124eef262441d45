/** Bands from errors relative to the volatility of the level when they were made. */
import { describe, expect, it } from 'vitest'
import { KNOTS } from '../../../models/bands/residual-bands.ts'
import { scaledBands } from '../../../models/bands/scaled-bands.ts'
import type { KnownPrices } from '../../../models/known-prices.ts'
import { FORECAST_REACH_DAYS } from '../../../models/model.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { fromScale } from '../../../models/scale.ts'

const AHEAD_30 = KNOTS.indexOf(30)

/** A random walk whose daily steps are `stepOf(day)` times a normal draw, raised by `riseOf(day)`, on the models' scale. */
function walk(days: number, stepOf: (day: number) => number, riseOf = (_day: number) => 0): KnownPrices {
  const random = seededRandom(5)
  let level = 4
  const scaled = Float64Array.from({ length: days }, (_, day) => {
    level += stepOf(day) * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return level + riseOf(day)
  })
  const prices = scaled.map((value) => fromScale('PUN', value))
  return { asset: 'PUN', firstDay: 18_000, lastDay: 18_000 + days - 1, prices, scaled, filled: scaled }
}

/** Bands about the last value. */
function bandsOf(known: KnownPrices) {
  const lastValue = (origin: number) => () => known.filled[origin - known.firstDay] ?? Number.NaN
  return scaledBands(known, lastValue, FORECAST_REACH_DAYS) ?? expect.fail('no bands')
}

function width30(known: KnownPrices): number {
  const { below, above } = bandsOf(known)
  return (above[AHEAD_30] as number) - (below[AHEAD_30] as number)
}

describe('bands scaled by volatility', () => {
  it('return to the width of a calm market soon after it calms down', () => {
    const calm = width30(walk(2200, () => 0.02))
    const calmed = width30(walk(2200, (day) => (day < 1900 ? 0.08 : 0.02)))
    expect(calmed / calm).toBeLessThan(2)
    expect(width30(walk(2200, () => 0.08)) / calm).toBeGreaterThan(3.5)
  })

  it('contain about 80% of the steps of a random walk', () => {
    const known = walk(4000, () => 0.03)
    const { below, above } = bandsOf(known)
    const steps = known.scaled.slice(30).map((value, at) => value - (known.scaled[at] as number))
    const inside = steps.filter((step) => step >= (below[AHEAD_30] as number) && step <= (above[AHEAD_30] as number))
    expect(inside.length / steps.length).toBeGreaterThan(0.72)
    expect(inside.length / steps.length).toBeLessThan(0.92)
  })

  it('never narrow with the horizon, and require sixty errors', () => {
    const { below, above } = bandsOf(walk(900, () => 0.03))
    for (let at = 1; at < KNOTS.length; at++) {
      expect(above[at]).toBeGreaterThanOrEqual(above[at - 1] as number)
      expect(below[at]).toBeLessThanOrEqual(below[at - 1] as number)
    }
    expect(() => bandsOf(walk(90, () => 0.03))).toThrow('no bands')
  })

  it('are symmetric about the median, even after a rise', () => {
    const rising = (day: number) => day / 500
    const { below, above } = bandsOf(walk(2200, () => 0.03, rising))
    for (let at = 0; at < KNOTS.length; at++) expect(above[at]).toBe(-(below[at] as number))
  })

  it('widen immediately after a jump, and are back to normal within eight months', () => {
    const widthAfter = (jump: (day: number) => number) => width30(walk(2200, () => 0.02, jump))
    const usual = widthAfter(() => 0)
    expect(widthAfter((day) => (day < 2190 ? 0 : 0.5)) / usual).toBeGreaterThan(3)
    expect(widthAfter((day) => (day < 1960 ? 0 : 0.5)) / usual).toBeLessThan(1.25)
  })

  it('have zero width if prices are constant', () => {
    const { below, above } = bandsOf(walk(400, () => 0))
    expect([...below, ...above].every((offset) => Math.abs(offset) < 1e-12)).toBe(true)
  })
})
