/**
 * The forecasts' skill on a year of real prices that no choice was made on, each issue made again with only what was published
 * before it, beside LEAR and the baselines; and how long training, replaying and issuing take. Skipped where the prices are absent.
 */
import { coverage } from '../../models/metrics/coverage.ts'
import { mae } from '../../models/metrics/mae.ts'
import { pinball } from '../../models/metrics/pinball.ts'
import type { Scored } from '../../models/metrics/scored.ts'
import { modelById } from '../../models/registry.ts'
import { realPrices } from '../support/real-prices.ts'
import type { BenchRow } from './bench.ts'
import { COVERAGE_MAX, COVERAGE_MIN, FORECAST_BARS, type ForecastBars } from './forecast-bars.ts'
import { forecastSpeed } from './forecast-speed.ts'
import { type Rolled, rollingEvaluation } from './rolling.ts'

const REFIT_DAYS = 28
const HORIZONS_DAYS = [1, 7, 30, 90, 180]
/** Long enough before the first day for every window. */
const FIRST_DAY = '2012-01-01'
const DAYS_OF_A_YEAR = 366
const REPLAY_SECONDS_MAX = 600

const SCORES = { MAE: mae, pinball }

export default async function forecasts(): Promise<BenchRow[]> {
  const record = realPrices(FIRST_DAY)
  if (!record) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows = await forecastSpeed()
  for (const bars of FORECAST_BARS) {
    const rolled = new Map<string, Rolled>()
    for (const id of [bars.model, ...bars.others]) {
      console.log(`  ${bars.asset} ${bars.from} to ${bars.to}: ${id} …`)
      const { asset, from, to } = bars
      const options = { record, asset, from, to, horizonsDays: HORIZONS_DAYS, refitDays: REFIT_DAYS }
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

function skill({ asset, bars, model, others }: ForecastBars, rolled: ReadonlyMap<string, Rolled>): BenchRow[] {
  const own = rolled.get(model) as Rolled
  const rows = bars.map(({ horizonDays, score, must, aim }): BenchRow => {
    const measured = scoreOf(own, horizonDays, score)
    const reached = measured <= aim ? 'aim reached' : 'aim not reached'
    const n = own.byHorizon.get(horizonDays)?.length
    return {
      name: `${asset} ${horizonDays} d, ${score}`,
      measured,
      unit: '€/MWh',
      bound: { atMost: must },
      details: `${model}, ${n} days; aim ${aim}, ${reached}`,
    }
  })
  const covered = coverage(own.upTo30)
  const details = `${model}, ${own.upTo30.length} bands of 80 %`
  const name = `${asset} 1-30 d, coverage`
  rows.push({ name, measured: covered, unit: 'ratio', bound: { atLeast: COVERAGE_MIN }, details })
  rows.push({ name, measured: covered, unit: 'ratio', bound: { atMost: COVERAGE_MAX }, details })
  if (others.includes('lear')) rows.push(againstLear(asset, own, rolled.get('lear')))
  return rows
}

function againstLear(asset: string, own: Rolled, lear: Rolled | undefined): BenchRow {
  const [ours, theirs] = [scoreOf(own, 1, 'MAE'), scoreOf(lear, 1, 'MAE')]
  return {
    name: `${asset} 1 d, MAE against LEAR`,
    measured: ours / theirs,
    unit: 'ratio',
    bound: { atMost: 0.9999 },
    details: `${ours.toFixed(3)} against ${theirs.toFixed(3)} €/MWh`,
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
