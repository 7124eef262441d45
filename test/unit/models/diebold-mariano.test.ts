import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { dieboldMariano, normalCdf } from '../../support/diebold-mariano.ts'

describe('the test of Diebold and Mariano', () => {
  it('knows the normal distribution', () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 6)
    expect(normalCdf(-1.959964)).toBeCloseTo(0.025, 6)
    expect(normalCdf(2.326348)).toBeCloseTo(0.99, 6)
  })

  it('of losses that alternate about a difference of 0.1 has hardly any variance over a week, and is sure', () => {
    const own = Float64Array.from({ length: 400 }, (_, day) => 1 + (day % 2))
    expect(
      dieboldMariano(
        own,
        own.map((loss, day) => loss + 0.1 + (day % 2) / 5),
      ),
    ).toBeLessThan(1e-6)
  })

  it('finds nothing in noise, and a half where there is no difference on average', () => {
    const random = seededRandom(5)
    const own = Float64Array.from({ length: 365 }, () => random())
    const other = own.map((_, day) => own[(day + 100) % 365] as number)
    expect(dieboldMariano(own, other)).toBeCloseTo(0.5, 2)
  })

  it('a difference in the other direction is no proof', () => {
    const own = Float64Array.from({ length: 100 }, (_, day) => 2 + (day % 3))
    expect(
      dieboldMariano(
        own,
        own.map((loss, day) => loss - 1 - (day % 2)),
      ),
    ).toBeGreaterThan(0.99)
  })
})
