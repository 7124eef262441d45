import { describe, expect, it } from 'vitest'
import { priceLevel, priceRanks } from '../../../src/market/price-level.ts'

describe('priceLevel', () => {
  it.each([
    [100, 100, 'normal'],
    [90, 100, 'normal'],
    [89.99, 100, 'low'],
    [110, 100, 'normal'],
    [110.01, 100, 'high'],
    [-22, -20, 'normal'],
    [-22.01, -20, 'low'],
    [-17, -20, 'high'],
    [0, 0, 'normal'],
    [-0.01, 0, 'low'],
    [0.01, 0, 'high'],
  ])('of %f with a mean of %f is %s', (price, mean, level) => {
    expect(priceLevel(price, mean)).toBe(level)
  })
})

describe('priceRanks', () => {
  it('ranks from the cheapest, with equal ranks for equal prices', () => {
    expect(priceRanks([5, -3, 5, 0])).toEqual([3, 1, 3, 2])
    expect(priceRanks([])).toEqual([])
  })
})
