/** The hours' skill on real prices, each issue made again with only what was known then, with models retrained every week. */
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { HOURS } from '../../models/hourly/history.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import { type RealHours, realHours } from '../support/real-hours.ts'
import { POOR, simulatedWeather } from '../support/simulated-weather.ts'
import type { BenchRow } from './bench.ts'
import { dieboldMariano } from './diebold-mariano.ts'
import { BLOCK_COVERAGE, HOURLY_BARS, type HourlyBars, P_MAX } from './hourly-bars.ts'
import { type RolledHours, rollingHours } from './rolling-hours.ts'

/** Long enough before the first day for every window, and where forecasts of the load begin. */
const FIRST_DAY = '2014-12-31'
const BLOCK_HOURS = 4

/** Trained every week, as in the service, or more rarely. */
export default function forecastHours(refitDays?: number): Promise<BenchRow[]> {
  return measured(HOURLY_BARS, { refitDays })
}

/** A look at one of them that takes a minute. */
export function forecastLook(): Promise<BenchRow[]> {
  const [first] = HOURLY_BARS
  return measured(first ? [first] : [], { fromDay: '10-01' })
}

interface Extent {
  /** Of each year, MM-DD. */
  fromDay?: string
  refitDays?: number
}

async function measured(all: readonly HourlyBars[], extent: Extent): Promise<BenchRow[]> {
  const real = realHours(FIRST_DAY)
  if (!real) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  const pricesOnly = new Map<number, Scored[]>()
  for (const bars of all) {
    console.log(`  ${nameOf(bars)} …`)
    const rolled = await roll(real, bars, extent)
    const means = rolled.means.get(1) as Scored[]
    if (bars.step === 'prices-only' && bars.zone === 'nazionale') pricesOnly.set(bars.year, means)
    rows.push(...skill(bars, rolled), ...daily(bars, means, pricesOnly.get(bars.year)))
  }
  return rows
}

function nameOf({ zone, year, step, weather }: HourlyBars): string {
  return `hours of ${zone}, ${year}, ${step}${weather === 'poor' ? ', poor weather' : ''}`
}

function roll(
  real: RealHours,
  { zone, year, step, weather, bars }: HourlyBars,
  { fromDay = '01-01', refitDays }: Extent,
): Promise<RolledHours> {
  const aheads = [...new Set([1, ...bars.map(({ ahead }) => ahead)])]
  const model = hourlyEnsemble({ reachDays: aheads, steps: [step] })
  const drivers = weather && { ...real.drivers, ...(weather === 'poor' && poor(real)) }
  const span = { from: `${year}-${fromDay}`, to: `${year}-12-31` }
  return rollingHours(real, model, { zone, ...span, aheads, step, drivers, refitDays })
}

function poor({ actual }: RealHours) {
  return simulatedWeather(actual.wind, actual.solar, POOR)
}

function skill(bars: HourlyBars, { hours }: RolledHours): BenchRow[] {
  const rows = bars.bars.flatMap(({ ahead, mae: maeMax, pinball: pinballMax }): BenchRow[] => {
    const scored = hours.get(ahead) as Scored[]
    const name = `${nameOf(bars)}, ${ahead} d`
    const details = `${scored.length / HOURS} days; coverage ${coverage(scored).toFixed(3)}`
    const ofMae = row(`${name}, MAE`, mae(scored), maeMax, details)
    const loss = pinball(scored)
    return pinballMax === undefined ? [ofMae] : [ofMae, row(`${name}, pinball`, loss, pinballMax, details)]
  })
  if (!bars.isCoverageJudged) return rows
  const next = hours.get(1) as Scored[]
  for (let block = 0; block < HOURS / BLOCK_HOURS; block++) {
    const own = next.filter((_, at) => Math.floor((at % HOURS) / BLOCK_HOURS) === block)
    const name = `${nameOf(bars)}, coverage of hours ${block * BLOCK_HOURS} to ${(block + 1) * BLOCK_HOURS}`
    const measured = coverage(own)
    const [unit, details] = ['ratio', 'band of 80 %'] as const
    rows.push({ name, measured, unit, bound: { atLeast: BLOCK_COVERAGE.min }, details })
    rows.push({ name, measured, unit, bound: { atMost: BLOCK_COVERAGE.max }, details })
  }
  return rows
}

/** The next day's mean, and whether it is better than from prices alone. */
function daily(bars: HourlyBars, means: readonly Scored[], pricesOnly: readonly Scored[] | undefined): BenchRow[] {
  if (bars.daily === undefined) return []
  const details = `${means.length} days; pinball ${pinball(means).toFixed(2)}, coverage ${coverage(means).toFixed(2)}`
  const rows = [row(`${nameOf(bars)}, mean of the next day, MAE`, mae(means), bars.daily, details)]
  if (!pricesOnly) return rows
  const errors = (scored: readonly Scored[]) => scored.map(({ p50, actual }) => Math.abs(p50 - actual))
  rows.push({
    ...row(
      `${nameOf(bars)}: p that it is no better than prices only`,
      dieboldMariano(errors(means), errors(pricesOnly)),
      P_MAX,
      '',
    ),
    ...{ unit: 'ratio', details: `MAE ${mae(means).toFixed(2)} against ${mae(pricesOnly).toFixed(2)} €/MWh` },
  })
  return rows
}

function row(name: string, measured: number, atMost: number, details: string): BenchRow {
  return { name, measured, unit: '€/MWh', bound: { atMost }, details }
}
