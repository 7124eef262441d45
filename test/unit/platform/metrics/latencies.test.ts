import { describe, expect, it } from 'vitest'
import { latencies, quantile } from '../../../../src/platform/metrics/latencies.ts'
import { requestSeconds } from '../../../../src/platform/metrics/metrics.ts'

/** Over buckets up to 1, 2, 4 and beyond. */
function quantileOf(values: number[], q: number): number {
  const bounds = [1, 2, 4]
  const counts = [...bounds, Number.POSITIVE_INFINITY].map(
    (bound, i) => values.filter((value) => value <= bound && value > (bounds[i - 1] ?? 0)).length,
  )
  return quantile({ bounds, counts }, q)
}

it('latencies are those of an endpoint over all plans, the most asked first', async () => {
  requestSeconds.reset()
  for (const plan of ['Open', 'API']) requestSeconds.observe({ endpoint: 'GET /v1/today', plan }, 0.004)
  requestSeconds.observe({ endpoint: 'GET /v1/plans', plan: 'Open' }, 20)
  const [today, plans] = await latencies()
  expect(today).toMatchObject({ endpoint: 'GET /v1/today', requests: 2 })
  expect(today?.p50Ms).toBeCloseTo(3.75, 10)
  expect(plans).toMatchObject({ endpoint: 'GET /v1/plans', requests: 1, p50Ms: 10_000 })
})

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
