/** Boosted trees compared with examples calculated by hand. */
import { describe, expect, it } from 'vitest'
import { applyBoostedTrees, type BoostingOptions, fitBoostedTrees } from '../../../models/numeric/boosted-trees.ts'
import { seededRandom } from '../../../models/numeric/random.ts'

const ONE: BoostingOptions = {
  trees: 1,
  depth: 1,
  learningRate: 1,
  leafRowsMin: 1,
  penalty: 0,
  rowShare: 1,
  columnShare: 1,
  seed: 1,
}

describe('boosted trees', () => {
  const inputs = Float64Array.of(1, 2, 3, 4)
  const targets = Float64Array.of(0, 0, 10, 10)

  it.each<[string, Partial<BoostingOptions>, number[], number[]]>([
    ['split once: the mean 5, −5 up to 2.5, +5 above', {}, [1, 2, 2.5, 2.51, 4, 99], [0, 0, 0, 10, 10, 10]],
    ['shrink by the learning rate: 5 − 2.5 − 1.25', { trees: 2, learningRate: 0.5 }, [1], [1.25]],
    ['shrink leaves by the penalty: 2 halves leaves of two rows', { penalty: 2 }, [1], [2.5]],
    ['do not split if a leaf would have too few rows', { leafRowsMin: 3 }, [1], [5]],
  ])('%s', (_, options, values, expected) => {
    const trees = fitBoostedTrees(inputs, targets, 1, { ...ONE, ...options })
    expect(values.map((value) => applyBoostedTrees(trees, [value]))).toEqual(expected)
  })

  it('learn exclusive or with two splits', () => {
    const corners = [0, 0, 0, 1, 1, 0, 1, 1]
    const inputs = Float64Array.from({ length: 7 * 8 }, (_, i) => corners[i % 8] as number)
    // The corner (1, 1) occurs twice as often at the end, so that the first split has a gain.
    const more = Float64Array.of(...inputs, 1, 1, 1, 1)
    const targets = Float64Array.from({ length: more.length / 2 }, (_, row) =>
      Number(more[2 * row] !== more[2 * row + 1]),
    )
    const trees = fitBoostedTrees(more, targets, 2, { ...ONE, depth: 2 })
    for (const a of [0, 1])
      for (const b of [0, 1]) expect(applyBoostedTrees(trees, [a, b])).toBeCloseTo(Number(a !== b), 9)
  })

  it('send a missing value to the left', () => {
    const trees = fitBoostedTrees(Float64Array.of(Number.NaN, Number.NaN, 3, 4), targets, 1, ONE)
    expect(applyBoostedTrees(trees, [Number.NaN])).toBe(0)
    expect(applyBoostedTrees(trees, [3])).toBe(10)
  })

  it('are reproducible with sampled rows and columns, and learn a curve', () => {
    const random = seededRandom(3)
    const rows = 2000
    const inputs = Float64Array.from({ length: rows * 3 }, () => random())
    const targets = Float64Array.from({ length: rows }, (_, row) => Math.sin(6 * (inputs[row * 3] as number)))
    const options = { ...ONE, trees: 60, depth: 3, learningRate: 0.2, leafRowsMin: 20, rowShare: 0.5, columnShare: 0.7 }
    const trees = fitBoostedTrees(inputs, targets, 3, options)
    expect(fitBoostedTrees(inputs, targets, 3, options)).toEqual(trees)
    const worst = Math.max(
      ...[0.1, 0.3, 0.5, 0.7, 0.9].map((x) => Math.abs(applyBoostedTrees(trees, [x, 0.5, 0.5]) - Math.sin(6 * x))),
    )
    expect(worst).toBeLessThan(0.1)
  })
})
