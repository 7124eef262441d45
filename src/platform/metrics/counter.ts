import type { Labels, MetricFamily } from './exposition.ts'

/** How often something happened, by labels. */
export class Counter<Names extends string> {
  readonly #name: string
  readonly #help: string
  readonly #values = new Map<string, { labels: Labels; value: number }>()

  /** `name` ends in `_total`. */
  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  add(labels: Record<Names, string>, count = 1): void {
    const key = Object.values(labels).join('\0')
    const known = this.#values.get(key)
    if (known) known.value += count
    else this.#values.set(key, { labels: { ...labels }, value: count })
  }

  family(): MetricFamily {
    const samples = [...this.#values.values()].map(({ labels, value }) => ({ name: this.#name, labels, value }))
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}
