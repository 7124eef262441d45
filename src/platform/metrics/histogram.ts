import type { Labels, MetricFamily, Sample } from './exposition.ts'

interface Series {
  labels: Labels
  /** Observations by the first bucket that holds them; the last is beyond all bounds. */
  counts: number[]
  sum: number
}

/** Observations of one set of labels: how many are in each bucket, the last beyond all bounds. */
export interface Distribution {
  labels: Labels
  /** Upper bounds, ascending. */
  bounds: readonly number[]
  counts: readonly number[]
}

/** How a quantity is distributed, by labels: observations at or below each bound, their number and their sum. */
export class Histogram<Names extends string> {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, Series>()

  /** `bounds` ascend. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = bounds
  }

  observe(labels: Record<Names, string>, value: number): void {
    const key = Object.values(labels).join('\0')
    const series = this.#series.get(key) ?? {
      labels: { ...labels },
      counts: Array(this.#bounds.length + 1).fill(0),
      sum: 0,
    }
    this.#series.set(key, series)
    const within = this.#bounds.findIndex((bound) => value <= bound)
    const bucket = within < 0 ? this.#bounds.length : within
    series.counts[bucket] = (series.counts[bucket] as number) + 1
    series.sum += value
  }

  distributions(): Distribution[] {
    return [...this.#series.values()].map(({ labels, counts }) => ({ labels, bounds: this.#bounds, counts }))
  }

  family(): MetricFamily {
    const samples = [...this.#series.values()].flatMap((series) => this.#samples(series))
    return { name: this.#name, help: this.#help, type: 'histogram', samples }
  }

  /** Buckets are cumulative: each counts what the ones before it count too. */
  #samples({ labels, counts, sum }: Series): Sample[] {
    let total = 0
    const buckets = counts.map((count, i) => {
      total += count
      const le = i < this.#bounds.length ? String(this.#bounds[i]) : '+Inf'
      return { name: `${this.#name}_bucket`, labels: { ...labels, le }, value: total }
    })
    return [
      ...buckets,
      { name: `${this.#name}_sum`, labels, value: sum },
      { name: `${this.#name}_count`, labels, value: total },
    ]
  }
}
