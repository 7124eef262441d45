/**
 * Requests by endpoint and plan: counts by status class, and durations. prom-client serialises the labels at every observation,
 * which costs as much as the rest of the access log; here two map look-ups suffice. Scraped like prom-client's own metrics.
 */
import { type Metric, register } from 'prom-client'

interface LabelCounts {
  labels: Record<'endpoint' | 'plan', string>
  /** Counts by the first digit of the status. */
  byClass: number[]
  /** Counts per bucket; the last bucket is above all bounds. */
  buckets: number[]
  seconds: number
}

interface Sample {
  metricName: string
  labels: Record<string, string | number>
  value: number
}

/** One of the two metrics. */
interface Description {
  name: string
  help: string
}

interface RequestCountsOptions {
  total: Description
  duration: Description
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[]
}

export class RequestCounts {
  readonly #options: RequestCountsOptions
  readonly #counted = new Map<string, Map<string, LabelCounts>>()

  constructor(options: RequestCountsOptions) {
    this.#options = options
    this.#register(options.total, 'counter', () => this.#totals())
    this.#register(options.duration, 'histogram', () => this.durations())
  }

  count(endpoint: string, plan: string, status: number, seconds: number): void {
    const { bounds } = this.#options
    const counted = this.#counted.get(endpoint)?.get(plan) ?? this.#open(endpoint, plan)
    const statusClass = Math.floor(status / 100)
    counted.byClass[statusClass] = (counted.byClass[statusClass] ?? 0) + 1
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
    counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1
    counted.seconds += seconds
  }

  reset(): void {
    this.#counted.clear()
  }

  /** Returns the samples of the histogram; buckets are cumulative, so each includes those before it. */
  durations(): Sample[] {
    const { duration, bounds } = this.#options
    return this.#all().flatMap(({ labels, buckets, seconds }) => {
      let total = 0
      const cumulative = buckets.map((count, i) => {
        total += count
        return { metricName: `${duration.name}_bucket`, labels: { le: bounds[i] ?? '+Inf', ...labels }, value: total }
      })
      const sample = (suffix: string, value: number) => ({ metricName: `${duration.name}_${suffix}`, labels, value })
      return [...cumulative, sample('sum', seconds), sample('count', total)]
    })
  }

  #totals(): Sample[] {
    const metricName = this.#options.total.name
    return this.#all().flatMap(({ labels, byClass }) =>
      byClass.flatMap((value, digit) =>
        value === 0 ? [] : { metricName, labels: { ...labels, status: `${digit}xx` }, value },
      ),
    )
  }

  #all(): LabelCounts[] {
    return [...this.#counted.values()].flatMap((byPlan) => [...byPlan.values()])
  }

  #open(endpoint: string, plan: string): LabelCounts {
    const { bounds } = this.#options
    const counted = {
      labels: { endpoint, plan },
      byClass: Array<number>(6).fill(0),
      buckets: Array<number>(bounds.length + 1).fill(0),
      seconds: 0,
    }
    this.#counted.getOrInsertComputed(endpoint, () => new Map()).set(plan, counted)
    return counted
  }

  #register({ name, help }: Description, type: 'counter' | 'histogram', samples: () => Sample[]): void {
    const get = async () => ({ name, help, type, values: samples(), aggregator: 'sum' })
    register.registerMetric({ name, help, get, reset: () => this.reset() } as unknown as Metric)
  }
}
