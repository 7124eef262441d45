/**
 * `npm run bench [-- <name>] [--json]`: runs all benchmarks, or one, and prints each figure with its bound, as a table or as JSON; exits
 * with 1 if a bound is missed. Benchmarks that take many minutes run only by name.
 */
import { parseArgs } from 'node:util'
import { type BenchRow, passes } from './bench.ts'

type Benchmark = () => Promise<BenchRow[]>

/** Loaded on demand: the modules of one would use memory in the others. */
const BENCHMARKS: Record<string, Benchmark> = {
  answers: async () => (await import('./answers.ts')).warmAnswers(),
  import: async () => (await import('./import.ts')).importRate(),
  'offer-import': async () => (await import('./import.ts')).offerImport(),
  backfill: async () => (await import('./import.ts')).backfillRate(),
  day: async () => (await import('./import.ts')).marketDay(),
  series: async () => (await import('./computed.ts')).series(),
  trading: async () => (await import('./computed.ts')).trading(),
  hourly: async () => (await import('./computed.ts')).hourly(),
  keys: async () => (await import('./answers.ts')).keys(),
  offers: async () => (await import('./computed.ts')).offerIndices(),
  start: async () => (await import('./start.ts')).start(),
  alerts: async () => (await import('./alerts.ts')).alerts(),
  overload: async () => (await import('./overload.ts')).overload(),
  exports: async () => (await import('./files.ts')).exports(),
  lake: async () => (await import('./files.ts')).lake(),
  pages: async () => (await import('./pages.ts')).pages(),
  stream: async () => (await import('./streams.ts')).stream(),
  'sql-stream': async () => (await import('./streams.ts')).sqlStream(),
}

const ONLY_BY_NAME: Record<string, Benchmark> = {
  processes: async () => (await import('./processes.ts')).processes(),
  forecasts: async () => (await import('./forecasts.ts')).forecasts(),
  'forecast-speed': async () => (await import('./forecast-speed.ts')).forecastSpeed(),
  'forecast-days': async () => (await import('./forecasts.ts')).forecastDays(),
  'forecast-hours': async () => (await import('./forecast-hours.ts')).forecastHours(),
  'forecast-look': async () => (await import('./forecast-hours.ts')).forecastSpotCheck(),
  growth: async () => (await import('./growth.ts')).growth(),
  analysts: async () => (await import('./analysts.ts')).analysts(),
}

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const [wanted] = positionals
const all = { ...BENCHMARKS, ...ONLY_BY_NAME }
if (wanted !== undefined && !(wanted in all)) {
  console.error(`no benchmark "${wanted}"; there are ${Object.keys(all).join(', ')}`)
  process.exit(2)
}

const rows: BenchRow[] = []
for (const [name, run] of Object.entries(wanted === undefined ? BENCHMARKS : { [wanted]: all[wanted] as Benchmark })) {
  console.error(`running ${name} …`)
  rows.push(...(await run()))
}

if (values.json)
  console.log(
    JSON.stringify(
      rows.map((row) => ({ ...row, held: passes(row) })),
      null,
      2,
    ),
  )
else console.table(rows.map(toTableRow))
process.exit(rows.every(passes) ? 0 : 1)

function toTableRow(row: BenchRow) {
  return {
    benchmark: row.name,
    measured: `${row.measured.toFixed(2)} ${row.unit}`,
    bound: 'atLeast' in row.bound ? `≥ ${row.bound.atLeast}` : `≤ ${row.bound.atMost}`,
    held: passes(row) ? 'yes' : 'NO',
    details: row.details,
  }
}
