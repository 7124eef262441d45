/** How long requests take, from the histogram of this process. */
import type { Distribution } from './histogram.ts'
import { requestSeconds } from './metrics.ts'

export interface Latency {
  /** Method and path of the registry, `none` for pages and unknown paths. */
  endpoint: string
  requests: number
  /** Estimates within the bounds of the histogram, in milliseconds. */
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

/** Of each endpoint since the process began, the most asked first. */
export function latencies(): Latency[] {
  return requestSeconds
    .distributions()
    .map((distribution) => ({
      endpoint: distribution.labels.endpoint ?? '',
      requests: sum(distribution.counts),
      p50Ms: quantile(distribution, 0.5) * 1_000,
      p95Ms: quantile(distribution, 0.95) * 1_000,
      p99Ms: quantile(distribution, 0.99) * 1_000,
    }))
    .sort((a, b) => b.requests - a.requests)
}

/**
 * The q-quantile, as Prometheus' `histogram_quantile` estimates it: observations are taken to lie evenly within their bucket; what is
 * beyond all bounds is said to be at the last bound, which is then too low. NaN where there are no observations.
 */
export function quantile({ bounds, counts }: Pick<Distribution, 'bounds' | 'counts'>, q: number): number {
  const total = sum(counts)
  if (total === 0) return Number.NaN
  const rank = q * total
  let below = 0
  for (const [i, bound] of bounds.entries()) {
    const count = counts[i] ?? 0
    if (below + count >= rank && count > 0) {
      const low = i === 0 ? 0 : (bounds[i - 1] ?? 0)
      return low + ((bound - low) * (rank - below)) / count
    }
    below += count
  }
  return bounds.at(-1) ?? Number.NaN
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
