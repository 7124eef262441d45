/**
 * The forecasts' skill on real prices, each issue made again with only what was published before it, beside LEAR and the baselines; the
 * hours'; and how long training, replaying and issuing take. 2024 is a year that no choice was made on. Skipped where the prices are
 * absent.
 */
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import { modelById } from '../support/model-by-id.ts'
import { realPrices } from '../support/real-prices.ts'
import type { BenchRow } from './bench.ts'
import { dieboldMariano } from './diebold-mariano.ts'
import { COVERAGE_MAX, COVERAGE_MIN, FORECAST_BARS, type ForecastBars, HORIZON_COVERAGE } from './forecast-bars.ts'
import forecastHours from './forecast-hours.ts'
import { forecastSpeed } from './forecast-speed.ts'
import { P_MAX } from './hourly-bars.ts'
import { type Rolled, rollingEvaluation } from './rolling.ts'

const REFIT_DAYS = 28
const HORIZONS_DAYS = [1, 7, 30, 90, 180]
/** Long enough before the first day for every window. */
const FIRST_DAY = '2004-04-01'
const DAYS_OF_A_YEAR = 366
const REPLAY_SECONDS_MAX = 600

const SCORES = { MAE: mae, pinball }

/** All parts, hours with trainings as rare as those of the days: `forecast-hours` has weekly ones. */
export default async function forecasts(): Promise<BenchRow[]> {
  return [...(await forecastSpeed()), ...(await forecastDays()), ...(await forecastHours(REFIT_DAYS))]
}

export async function forecastDays(): Promise<BenchRow[]> {
  const record = realPrices(FIRST_DAY)
  if (!record) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  for (const bars of FORECAST_BARS) {
    const rolled = new Map<string, Rolled>()
    for (const id of [bars.model, ...bars.others]) {
      console.log(`  ${bars.asset} ${bars.from} to ${bars.to}: ${id} …`)
      const { asset, from, to } = bars
      const isMiddayScored = id === bars.model && bars.midday !== undefined
      const options = { record, asset, from, to, horizonsDays: HORIZONS_DAYS, refitDays: REFIT_DAYS, isMiddayScored }
      rolled.set(id, await rollingEvaluation(modelById(id), options))
    }
    printTable(bars, rolled)
    rows.push(...skill(bars, rolled), ...replaySpeed(bars, rolled.get(bars.model) as Rolled))
  }
  return rows
}

function scoreOf(rolled: Rolled | undefined, horizonDays: number, score: keyof typeof SCORES): number {
  return SCORES[score](rolled?.byHorizon.get(horizonDays) as Scored[])
}

/** Every model at every horizon, as the models' cards have it. */
function printTable({ asset, model, others }: ForecastBars, rolled: ReadonlyMap<string, Rolled>): void {
  const lines = HORIZONS_DAYS.flatMap((horizonDays) =>
    [model, ...others].map((id) => {
      const scored = rolled.get(id)?.byHorizon.get(horizonDays) as Scored[]
      const walk = scoreOf(rolled.get('conformal-walk'), horizonDays, 'MAE')
      const figures = {
        n: scored.length,
        MAE: round(mae(scored)),
        rMAE: round(mae(scored) / walk),
        pinball: round(pinball(scored)),
        coverage: round(coverage(scored)),
      }
      return [`${asset} ${horizonDays} d, ${id}`, figures] as const
    }),
  )
  console.table(Object.fromEntries(lines))
}

function skill(given: ForecastBars, rolled: ReadonlyMap<string, Rolled>): BenchRow[] {
  const { asset, from, bars, model, others, midday, coveredHorizonsDays = [] } = given
  const own = rolled.get(model) as Rolled
  const of = (what: string) => `${asset} ${from.slice(0, 4)}, ${what}`
  const rows = bars.map(({ horizonDays, score, must }): BenchRow => {
    const n = own.byHorizon.get(horizonDays)?.length
    const details = `${model}, ${n} days`
    const measured = scoreOf(own, horizonDays, score)
    return { name: of(`${horizonDays} d, ${score}`), measured, unit: '€/MWh', bound: { atMost: must }, details }
  })
  if (midday !== undefined) {
    const details = `${model}, ${own.midday.length} days, pinball ${pinball(own.midday).toFixed(3)}`
    const [measured, unit] = [mae(own.midday), '€/MWh'] as const
    rows.push({ name: of('1 d at midday, MAE'), measured, unit, bound: { atMost: midday }, details })
  }
  rows.push(...covered(of('1-30 d'), own.upTo30, { min: COVERAGE_MIN, max: COVERAGE_MAX }))
  for (const days of coveredHorizonsDays)
    rows.push(...covered(of(`${days} d`), own.byHorizon.get(days) as Scored[], HORIZON_COVERAGE))
  if (others.includes('lear')) rows.push(againstLear(of, own, rolled.get('lear') as Rolled))
  return rows
}

function covered(name: string, scored: readonly Scored[], { min, max }: { min: number; max: number }): BenchRow[] {
  const details = `${scored.length} bands of 80 %`
  const [measured, unit] = [coverage(scored), 'ratio'] as const
  return [{ atLeast: min }, { atMost: max }].map((bound) => {
    return { name: `${name}, coverage`, measured, unit, bound, details }
  })
}

function againstLear(of: (what: string) => string, own: Rolled, lear: Rolled): BenchRow {
  const [ours, theirs] = [own, lear].map((rolled) =>
    (rolled.byHorizon.get(1) as Scored[]).map(({ p50, actual }) => Math.abs(p50 - actual)),
  ) as [number[], number[]]
  return {
    name: of('1 d: p that it is no better than LEAR'),
    measured: dieboldMariano(ours, theirs),
    unit: 'ratio',
    bound: { atMost: P_MAX },
    details: `MAE ${scoreOf(own, 1, 'MAE').toFixed(3)} against ${scoreOf(lear, 1, 'MAE').toFixed(3)} €/MWh`,
  }
}

/** The share of a year in what the whole evaluation took. */
function replaySpeed({ asset }: ForecastBars, { trainSeconds, predictSeconds, trainings, issues }: Rolled): BenchRow[] {
  if (trainSeconds + predictSeconds < 1) return []
  return [
    {
      name: `${asset}: replay of a year`,
      measured: ((trainSeconds + predictSeconds) * DAYS_OF_A_YEAR) / issues,
      unit: 's',
      bound: { atMost: REPLAY_SECONDS_MAX },
      details: `${issues} issues, ${trainings} trainings every ${REFIT_DAYS} days: ${trainSeconds.toFixed(0)} s training, ${predictSeconds.toFixed(0)} s issuing`,
    },
  ]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
