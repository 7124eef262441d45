/** How long requests take, from the histogram of this process. */
import { requestSeconds } from './metrics.ts'

/** Observations of one endpoint: how many lie in each bucket, the last beyond all bounds. */
interface Distribution {
  /** Upper bounds, ascending. */
  bounds: readonly number[]
  counts: readonly number[]
}

export interface Latency {
  /** Method and path as registered; `none` for pages and unknown paths. */
  endpoint: string
  requests: number
  /** Estimates within the bounds of the histogram, in milliseconds. */
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

/** Of each endpoint since the process began, the most asked first. */
export async function latencies(): Promise<Latency[]> {
  const { values } = await requestSeconds.get()
  const buckets = values.filter(({ metricName }) => metricName === 'energy_http_request_duration_seconds_bucket')
  const byEndpoint = Map.groupBy(buckets, ({ labels }) => String(labels.endpoint))
  return [...byEndpoint]
    .map(([endpoint, samples]) => latencyOf(endpoint, distributionOf(samples)))
    .sort((a, b) => b.requests - a.requests)
}

function latencyOf(endpoint: string, distribution: Distribution): Latency {
  return {
    endpoint,
    requests: sum(distribution.counts),
    p50Ms: quantile(distribution, 0.5) * 1_000,
    p95Ms: quantile(distribution, 0.95) * 1_000,
    p99Ms: quantile(distribution, 0.99) * 1_000,
  }
}

/** Of all plans together. Prometheus' buckets are cumulative: each counts what the ones before it count too. */
function distributionOf(
  samples: readonly { labels: Partial<Record<string, string | number>>; value: number }[],
): Distribution {
  const totals = new Map<number, number>()
  for (const { labels, value } of samples) {
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
    totals.set(bound, (totals.get(bound) ?? 0) + value)
  }
  const cumulative = [...totals].sort(([a], [b]) => a - b)
  return {
    bounds: cumulative.map(([bound]) => bound).filter(Number.isFinite),
    counts: cumulative.map(([, total], i) => total - (cumulative[i - 1]?.[1] ?? 0)),
  }
}

/**
 * The q-quantile, as Prometheus' `histogram_quantile` estimates it: observations are assumed to be spread evenly within their bucket; what is
 * beyond all bounds is reported as the last bound, which is then too low. NaN where there are no observations.
 */
export function quantile({ bounds, counts }: Distribution, q: number): number {
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
