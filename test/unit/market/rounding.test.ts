import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movePoint, round } from '../../../src/market/rounding.ts'

describe('round', () => {
  it.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.118425, 5, 0.11843],
    [0.1184249, 5, 0.11842],
    [118.42999999999999, 6, 118.43],
    [1e-9, 6, 0],
    [-1e-9, 6, 0],
    [123456789012.5, 0, 123456789013],
    [1e21, 2, 1e21],
  ])('%d to %i decimals is %d', (value, decimals, rounded) => {
    expect(round(value, decimals)).toBe(rounded)
  })

  it('agrees with decimal arithmetic on the fast path', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, decimals) => {
          const magnitude = movePoint(Math.round(movePoint(Math.abs(value), decimals)), -decimals)
          expect(Math.abs(round(value, decimals))).toBe(magnitude)
        },
      ),
    )
  })

  it('refuses NaN and infinities', () => {
    expect(() => round(Number.NaN, 2)).toThrow(RangeError)
  })
})

describe('movePoint', () => {
  it.each([
    [118.43, -3, 0.11843],
    [1.005, 2, 100.5],
    [1e-7, 3, 1e-4],
    [0, 5, 0],
  ])('%d by %i places is %d', (value, places, moved) => {
    expect(movePoint(value, places)).toBe(moved)
  })
})
