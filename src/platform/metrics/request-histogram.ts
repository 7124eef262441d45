/**
 * Durations by endpoint and plan. prom-client makes a text of the labels for every observation, which costs as much as the rest of the
 * access log; here they are found by two look-ups. Scraped like its own histograms.
 */
import { type Metric, register } from 'prom-client'

type Labels = Record<'endpoint' | 'plan', string>

interface Observed {
  labels: Labels
  /** How many lie in each bucket, the last beyond all bounds. */
  counts: number[]
  sum: number
}

interface Sample {
  metricName: string
  labels: Record<string, string | number>
  value: number
}

interface RequestHistogramOptions {
  name: string
  help: string
  /** Upper bounds, ascending. */
  buckets: readonly number[]
}

export class RequestHistogram {
  readonly name: string
  readonly help: string
  readonly #bounds: readonly number[]
  readonly #observed = new Map<string, Map<string, Observed>>()

  constructor({ name, help, buckets }: RequestHistogramOptions) {
    this.name = name
    this.help = help
    this.#bounds = buckets
    register.registerMetric(this as unknown as Metric)
  }

  observe(labels: Labels, value: number): void {
    const observed = this.#observed.get(labels.endpoint)?.get(labels.plan) ?? this.#open(labels)
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    const i = bucket < 0 ? this.#bounds.length : bucket
    observed.counts[i] = (observed.counts[i] ?? 0) + 1
    observed.sum += value
  }

  reset(): void {
    this.#observed.clear()
  }

  async get() {
    const observed = [...this.#observed.values()].flatMap((byPlan) => [...byPlan.values()])
    const values = observed.flatMap((one) => this.#samplesOf(one))
    return { name: this.name, help: this.help, type: 'histogram', values, aggregator: 'sum' }
  }

  #open(labels: Labels): Observed {
    const observed = { labels, counts: [...this.#bounds, Number.POSITIVE_INFINITY].map(() => 0), sum: 0 }
    this.#observed.getOrInsertComputed(labels.endpoint, () => new Map()).set(labels.plan, observed)
    return observed
  }

  /** Buckets are cumulative: each counts what the ones before it count too. */
  #samplesOf({ labels, counts, sum }: Observed): Sample[] {
    let total = 0
    const buckets = counts.map((count, i) => {
      total += count
      const le = this.#bounds[i] ?? '+Inf'
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total }
    })
    const sample = (suffix: string, value: number) => ({ metricName: `${this.name}_${suffix}`, labels, value })
    return [...buckets, sample('sum', sum), sample('count', total)]
  }
}
