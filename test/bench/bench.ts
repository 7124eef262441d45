/** What every benchmark returns: figures that mean something on any machine, because they are ratios within one run. */
export interface BenchRow {
  name: string
  measured: number
  /** How `measured` is to be read: a ratio, or a time, a size or a number where the bound is absolute. */
  unit: 'ratio' | 's' | 'ms' | 'µs' | 'MB' | 'kB' | 'shift' | 'reads' | '1/s' | '€/MWh'
  bound: { atLeast: number } | { atMost: number }
  details: string
}

export function passes({ measured, bound }: BenchRow): boolean {
  return 'atLeast' in bound ? measured >= bound.atLeast : measured <= bound.atMost
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Milliseconds of each of several runs. */
export async function time(rounds: number, run: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    await run()
    durations.push(performance.now() - started)
  }
  return durations
}
