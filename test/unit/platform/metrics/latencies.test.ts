import { describe, expect, it } from 'vitest'
import { Histogram } from '../../../../src/platform/metrics/histogram.ts'
import { quantile } from '../../../../src/platform/metrics/latencies.ts'

function quantileOf(values: number[], q: number): number {
  const histogram = new Histogram<'endpoint'>('seconds', 'Seconds.', [1, 2, 4])
  for (const value of values) histogram.observe({ endpoint: 'x' }, value)
  const [distribution] = histogram.distributions()
  if (distribution === undefined) throw new Error('nothing was observed')
  return quantile(distribution, q)
}

describe('a quantile', () => {
  it.each([
    ['lies within the bucket that holds it, evenly', [0.5, 1.5, 1.6, 3], 0.5, 1.5],
    ['of one bucket is a share of it', [3, 3, 3, 3], 0.25, 2.5],
    ['at a bound is the bound', [0.5, 1.5], 0.5, 1],
    ['beyond all bounds is the last of them', [9, 9], 0.99, 4],
    ['skips empty buckets', [0.5, 3.5], 0.99, 3.96],
  ])('%s', (_name, values, q, expected) => {
    expect(quantileOf(values, q)).toBeCloseTo(expected, 10)
  })

  it('of nothing is not a number, never 0', () => {
    expect(quantile({ bounds: [1], counts: [0, 0] }, 0.5)).toBeNaN()
  })
})
