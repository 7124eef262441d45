/** The results of a soak test: durations and faults by kind of request, and memory over time. */
export interface Fault {
  name: string
  message: string
}

export interface Memory {
  minutes: number
  /** Live JavaScript heap of the service's own process, after a garbage collection. */
  heapMb: number
  /** Resident memory of that process and all children, including the embedded database. */
  residentMb: number
}

export class Tally {
  readonly #durations = new Map<string, number[]>()
  readonly #memory: Memory[] = []
  readonly faults: Fault[] = []

  /** Runs it and records its duration or error. */
  async time(name: string, run: () => Promise<void>): Promise<void> {
    const started = performance.now()
    try {
      await run()
    } catch (err) {
      this.faults.push({ name, message: err instanceof Error ? err.message : String(err) })
    }
    const own = this.#durations.get(name) ?? []
    own.push(performance.now() - started)
    this.#durations.set(name, own)
  }

  recordMemory(memory: Memory): void {
    this.#memory.push(memory)
  }

  rows() {
    return [...this.#durations].map(([name, durations]) => {
      const sorted = durations.toSorted((a, b) => a - b)
      const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1))
      const faults = this.faults.filter((fault) => fault.name === name).length
      return {
        name,
        count: sorted.length,
        faults,
        'p50 ms': at(0.5),
        'p95 ms': at(0.95),
        'p99 ms': at(0.99),
        'max ms': at(1),
      }
    })
  }

  /** Growth in MB a minute by least squares, over the second half of the run: caches fill in the first half. */
  memoryGrowth(kind: 'heapMb' | 'residentMb'): { firstMb: number; lastMb: number; mbPerMinute: number } {
    const half = this.#memory.slice(Math.floor(this.#memory.length / 2))
    return {
      firstMb: half[0]?.[kind] ?? Number.NaN,
      lastMb: half.at(-1)?.[kind] ?? Number.NaN,
      mbPerMinute: slope(half.map((one) => [one.minutes, one[kind]])),
    }
  }

  /** The heap at the end of each minute, in MB. */
  heapByMinute(): number[] {
    const byMinute = Map.groupBy(this.#memory, ({ minutes }) => Math.floor(minutes))
    return [...byMinute.values()].map((samples) => Math.round(samples.at(-1)?.heapMb ?? Number.NaN))
  }
}

function slope(points: [x: number, y: number][]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return covariance / variance
}
