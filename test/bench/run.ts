/** `npm run bench [-- <name>]`: runs the benchmarks, prints each figure beside its bound; exit code 1 where one misses it. */
import { type BenchRow, passes } from './bench.ts'

const BENCHMARKS: Record<string, () => Promise<{ default: () => Promise<BenchRow[]> }>> = {
  answers: () => import('./warm-answers.ts'),
  import: () => import('./import-rate.ts'),
  series: () => import('./series.ts'),
  hourly: () => import('./hourly.ts'),
  keys: () => import('./keys.ts'),
  start: () => import('./start.ts'),
  forecasts: () => import('./forecasts.ts'),
}

const [wanted] = process.argv.slice(2)
if (wanted !== undefined && !(wanted in BENCHMARKS)) {
  console.error(`no benchmark "${wanted}"; there are ${Object.keys(BENCHMARKS).join(', ')}`)
  process.exit(2)
}

const rows: BenchRow[] = []
for (const [name, load] of Object.entries(BENCHMARKS)) {
  if (wanted !== undefined && wanted !== name) continue
  console.log(`running ${name} …`)
  rows.push(...(await (await load()).default()))
}

console.table(
  rows.map((row) => ({
    benchmark: row.name,
    measured: `${row.measured.toFixed(2)} ${row.unit}`,
    bound: 'atLeast' in row.bound ? `≥ ${row.bound.atLeast}` : `≤ ${row.bound.atMost}`,
    held: passes(row) ? 'yes' : 'NO',
    details: row.details,
  })),
)
process.exit(rows.every(passes) ? 0 : 1)
