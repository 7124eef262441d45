import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { dieboldMariano, normalCdf } from '../../support/diebold-mariano.ts'

describe('the Diebold-Mariano test', () => {
  it('has an accurate normal distribution function', () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 6)
    expect(normalCdf(-1.959964)).toBeCloseTo(0.025, 6)
    expect(normalCdf(2.326348)).toBeCloseTo(0.99, 6)
  })

  it('is highly significant for a small but steady difference', () => {
    const own = Float64Array.from({ length: 400 }, (_, day) => 1 + (day % 2))
    const worse = own.map((loss, day) => loss + 0.1 + (day % 2) / 5)
    expect(dieboldMariano(own, worse)).toBeLessThan(1e-6)
  })

  it('is near 0.5 without a difference on average', () => {
    const random = seededRandom(5)
    const own = Float64Array.from({ length: 365 }, () => random())
    const other = own.map((_, day) => own[(day + 100) % 365] as number)
    expect(dieboldMariano(own, other)).toBeCloseTo(0.5, 2)
  })

  it('is not significant for a difference in the other direction', () => {
    const own = Float64Array.from({ length: 100 }, (_, day) => 2 + (day % 3))
    const better = own.map((loss, day) => loss - 1 - (day % 2))
    expect(dieboldMariano(own, better)).toBeGreaterThan(0.99)
  })
})
