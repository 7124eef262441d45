/** `npm run bench [-- <name>]`: runs the benchmarks, prints each figure beside its bound; exit code 1 where one misses it. */
import { type BenchRow, passes } from './bench.ts'

const BENCHMARKS: Record<string, () => Promise<{ default: () => Promise<BenchRow[]> }>> = {
  answers: () => import('./warm-answers.ts'),
  import: () => import('./import-rate.ts'),
  'offer-import': () => import('./offer-import.ts'),
  backfill: () => import('./backfill-rate.ts'),
  day: () => import('./market-day.ts'),
  series: () => import('./series.ts'),
  trading: () => import('./trading.ts'),
  backtest: () => import('./backtest.ts'),
  hourly: () => import('./hourly.ts'),
  keys: () => import('./keys.ts'),
  offers: () => import('./offer-indices.ts'),
  start: () => import('./start.ts'),
  alerts: () => import('./alerts.ts'),
  overload: () => import('./overload.ts'),
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
