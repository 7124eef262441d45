/**
 * `npm run bench [-- <name>] [--json]`: runs the benchmarks, or one, and prints each figure beside its bound, as a table or as JSON;
 * exit code 1 where one misses it. What takes many minutes runs only by its name.
 */
import { parseArgs } from 'node:util'
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
  processes: () => import('./processes.ts'),
  keys: () => import('./keys.ts'),
  offers: () => import('./offer-indices.ts'),
  start: () => import('./start.ts'),
  alerts: () => import('./alerts.ts'),
  overload: () => import('./overload.ts'),
  forecasts: () => import('./forecasts.ts'),
  'forecast-speed': async () => ({ default: (await import('./forecast-speed.ts')).forecastSpeed }),
  'forecast-days': async () => ({ default: (await import('./forecasts.ts')).forecastDays }),
  'forecast-hours': () => import('./forecast-hours.ts'),
  'forecast-look': async () => ({ default: (await import('./forecast-hours.ts')).forecastLook }),
  growth: () => import('./growth.ts'),
  analysts: () => import('./analysts.ts'),
  exports: () => import('./exports.ts'),
  lake: () => import('./lake.ts'),
  pages: () => import('./pages.ts'),
  stream: () => import('./stream.ts'),
  'sql-stream': () => import('./sql-stream.ts'),
}

const ONLY_BY_NAME = new Set([
  'forecasts',
  'forecast-speed',
  'forecast-days',
  'forecast-hours',
  'forecast-look',
  'growth',
  'analysts',
  'processes',
])

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const [wanted] = positionals
if (wanted !== undefined && !(wanted in BENCHMARKS)) {
  console.error(`no benchmark "${wanted}"; there are ${Object.keys(BENCHMARKS).join(', ')}`)
  process.exit(2)
}

const rows: BenchRow[] = []
for (const [name, load] of Object.entries(BENCHMARKS)) {
  if (wanted === undefined ? ONLY_BY_NAME.has(name) : wanted !== name) continue
  console.error(`running ${name} …`)
  rows.push(...(await (await load()).default()))
}

if (values.json)
  console.log(
    JSON.stringify(
      rows.map((row) => ({ ...row, held: passes(row) })),
      null,
      2,
    ),
  )
else console.table(rows.map(printed))
process.exit(rows.every(passes) ? 0 : 1)

function printed(row: BenchRow) {
  return {
    benchmark: row.name,
    measured: `${row.measured.toFixed(2)} ${row.unit}`,
    bound: 'atLeast' in row.bound ? `≥ ${row.bound.atLeast}` : `≤ ${row.bound.atMost}`,
    held: passes(row) ? 'yes' : 'NO',
    details: row.details,
  }
}
