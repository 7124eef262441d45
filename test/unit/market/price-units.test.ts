import { describe, expect, it } from 'vitest'
import { roundNative, toEurKwh } from '../../../src/market/price-units.ts'

describe('displayed prices', () => {
  it('are equal for equal means, despite the rounding of their sums', () => {
    expect(roundNative(113.98718749999999)).toBe(113.987188)
    expect(roundNative(113.9871875)).toBe(113.987188)
    expect(roundNative(-0.5000005)).toBe(-0.500001)
  })

  it.each([
    [118.43, 0.11843],
    [118.425, 0.11843],
    [118.424999, 0.11842],
    [0, 0],
    [-2.345, -0.00235],
  ])('of %d €/MWh are %d €/kWh', (eurMwh, eurKwh) => expect(toEurKwh(eurMwh)).toBe(eurKwh))
})
