import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The result of a benchmark. Figures are comparable across machines, since they are ratios within one run. */
export interface BenchRow {
  name: string
  measured: number
  /** A ratio, or an absolute time, size or count if the bound is absolute. */
  unit: 'ratio' | 's' | 'ms' | 'µs' | 'MB' | 'kB' | 'shift' | 'reads' | '1/s' | '€/MWh'
  bound: { atLeast: number } | { atMost: number }
  details: string
}

type About = Pick<BenchRow, 'name' | 'details'>
type Row = [bound: number, unit: BenchRow['unit'], measured: number, about: About]

export const atMost = (...[bound, unit, measured, about]: Row): BenchRow => {
  return { ...about, measured, unit, bound: { atMost: bound } }
}

export const atLeast = (...[bound, unit, measured, about]: Row): BenchRow => {
  return { ...about, measured, unit, bound: { atLeast: bound } }
}

export function between(
  { min, max }: { min: number; max: number },
  unit: BenchRow['unit'],
  measured: number,
  about: About,
): BenchRow[] {
  return [atLeast(min, unit, measured, about), atMost(max, unit, measured, about)]
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

/** The value below which that share of the values lies. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** Duration of each run in milliseconds. */
export async function time(rounds: number, run: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    await run()
    durations.push(performance.now() - started)
  }
  return durations
}

export async function timeOnce(run: () => Promise<unknown>): Promise<number> {
  const [ms = Number.NaN] = await time(1, run)
  return ms
}

const RESULTS = 'data/bench'

/** Caches the result of a part for the current commit; always measures if there are uncommitted changes. */
export async function cachedForCommit<Result>(part: string, measure: () => Promise<Result>): Promise<Result> {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  if (git('status', '--porcelain') !== '') return measure()
  const file = path.join(RESULTS, `${git('rev-parse', 'HEAD')}-${part.replaceAll(/\W+/g, '-')}.json`)
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  const result = await measure()
  await mkdir(RESULTS, { recursive: true })
  await writeFile(file, JSON.stringify(result))
  return result
}
