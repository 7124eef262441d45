/** Bands from errors relative to the volatility of the level when they were made. */
import { describe, expect, it } from 'vitest'
import { KNOTS } from '../../../models/bands/residual-bands.ts'
import { scaledBands } from '../../../models/bands/scaled-bands.ts'
import type { KnownPrices } from '../../../models/known-prices.ts'
import { FORECAST_REACH_DAYS } from '../../../models/model.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { fromScale } from '../../../models/scale.ts'

const AHEAD_30 = KNOTS.indexOf(30)

/** A random walk whose daily steps are `stepOf(day)` times a normal draw, on the models' scale. */
function walk(days: number, stepOf: (day: number) => number): KnownPrices {
  const random = seededRandom(5)
  let level = 4
  const scaled = Float64Array.from({ length: days }, (_, day) => {
    level += stepOf(day) * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return level
  })
  const prices = scaled.map((value) => fromScale('PUN', value))
  return { asset: 'PUN', firstDay: 18_000, lastDay: 18_000 + days - 1, prices, scaled, filled: scaled }
}

const lastValue = (known: KnownPrices) => (origin: number) => () => known.filled[origin - known.firstDay] ?? Number.NaN

function width30(known: KnownPrices): number {
  const { below, above } = scaledBands(known, lastValue(known), FORECAST_REACH_DAYS) as {
    below: Float64Array
    above: Float64Array
  }
  return (above[AHEAD_30] as number) - (below[AHEAD_30] as number)
}

describe('bands scaled by volatility', () => {
  it('return to the width of a calm market soon after it calms down', () => {
    const calm = width30(walk(2200, () => 0.02))
    const calmed = width30(walk(2200, (day) => (day < 1900 ? 0.08 : 0.02)))
    expect(calmed / calm).toBeLessThan(2)
    expect(width30(walk(2200, () => 0.08)) / calm).toBeGreaterThan(3.5)
  })

  it('contain about 80 % of the steps of a random walk', () => {
    const known = walk(4000, () => 0.03)
    const { below, above } = scaledBands(known, lastValue(known), FORECAST_REACH_DAYS) as {
      below: Float64Array
      above: Float64Array
    }
    const steps = known.scaled.slice(30).map((value, at) => value - (known.scaled[at] as number))
    const inside = steps.filter((step) => step >= (below[AHEAD_30] as number) && step <= (above[AHEAD_30] as number))
    expect(inside.length / steps.length).toBeGreaterThan(0.72)
    expect(inside.length / steps.length).toBeLessThan(0.92)
  })

  it('never narrow with the horizon, and require sixty errors', () => {
    const { below, above } = scaledBands(
      walk(900, () => 0.03),
      lastValue(walk(900, () => 0.03)),
      FORECAST_REACH_DAYS,
    ) as {
      below: Float64Array
      above: Float64Array
    }
    for (let at = 1; at < KNOTS.length; at++) {
      expect(above[at]).toBeGreaterThanOrEqual(above[at - 1] as number)
      expect(below[at]).toBeLessThanOrEqual(below[at - 1] as number)
    }
    const short = walk(90, () => 0.03)
    expect(scaledBands(short, lastValue(short), FORECAST_REACH_DAYS)).toBeUndefined()
  })

  it('are symmetric about the median, even after a rise', () => {
    const rising = walk(2200, () => 0.03)
    rising.scaled.forEach((value, at) => {
      rising.scaled[at] = value + at / 500
    })
    const { below, above } = scaledBands(rising, lastValue(rising), FORECAST_REACH_DAYS) ?? expect.fail('no bands')
    for (let at = 0; at < KNOTS.length; at++) expect(above[at]).toBe(-(below[at] as number))
  })

  it('widen immediately after a jump, and are back to normal within eight months', () => {
    const jumped = (daysAgo: number) => {
      const known = walk(2200, () => 0.02)
      known.scaled.forEach((value, at) => {
        known.scaled[at] = value + (at < 2200 - daysAgo ? 0 : 0.5)
      })
      return known
    }
    const usual = width30(walk(2200, () => 0.02))
    expect(width30(jumped(10)) / usual).toBeGreaterThan(1.4)
    expect(width30(jumped(240)) / usual).toBeLessThan(1.25)
  })

  it('have zero width if prices are constant', () => {
    const known = walk(400, () => 0)
    const { below, above } = scaledBands(known, lastValue(known), FORECAST_REACH_DAYS) as {
      below: Float64Array
      above: Float64Array
    }
    expect([...below, ...above].every((offset) => Math.abs(offset) < 1e-12)).toBe(true)
  })
})
