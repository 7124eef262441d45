/**
 * Accuracy of the daily forecasts on real prices compared with LEAR and the baselines; each issue is remade with only the data published
 * before it. Also measures replay speed. No choice was based on 2024. Skipped if the prices are absent.
 */
import { pastIssues } from '../../jobs/forecasts/past-issues.ts'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { historyAt, type PriceRecord, priceOn } from '../../models/history.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import type { Artefact, ForecastAsset, ForecastModel } from '../../models/model.ts'
import { dieboldMariano } from '../support/diebold-mariano.ts'
import { modelById } from '../support/model-by-id.ts'
import { realHours } from '../support/real-hours.ts'
import { realPrices } from '../support/real-prices.ts'
import { atMost, type BenchRow, between, cachedForCommit } from './bench.ts'
import { FIRST_DAY_OF_HOURS, forecastHours, meanOf, P_MAX } from './forecast-hours.ts'
import { forecastSpeed } from './forecast-speed.ts'
import { publishedLear } from './published-lear.ts'

const REFIT_DAYS = 28
const HORIZONS_DAYS = [1, 7, 30, 90, 180]
/** Early enough for every training window. */
const FIRST_DAY = '2004-04-01'
const DAYS_OF_A_YEAR = 366
const REPLAY_SECONDS_MAX = 600

const SCORES = { MAE: mae, pinball }

/** All parts. Hourly models are retrained as rarely as daily ones; `forecast-hours` retrains weekly. Resumes after the last completed part. */
export async function forecasts(): Promise<BenchRow[]> {
  return [
    ...(await cachedForCommit('speed', forecastSpeed)),
    ...(await forecastDays()),
    ...(await forecastHours(REFIT_DAYS)),
  ]
}

export async function forecastDays(): Promise<BenchRow[]> {
  const record = realPrices(FIRST_DAY)
  if (!record) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  for (const bars of FORECAST_THRESHOLDS)
    rows.push(...(await cachedForCommit(`${bars.asset} ${bars.from}`, () => evaluateDays(bars, record))))
  return rows
}

async function evaluateDays(bars: ForecastThresholds, record: PriceRecord): Promise<BenchRow[]> {
  const rolled = new Map<string, RollingResult>()
  for (const id of [bars.model, ...bars.others]) {
    console.log(`  ${bars.asset} ${bars.from} to ${bars.to}: ${id} …`)
    const { asset, from, to } = bars
    const isMiddayScored = id === bars.model && bars.midday !== undefined
    const options = { record, asset, from, to, horizonsDays: HORIZONS_DAYS, refitDays: REFIT_DAYS, isMiddayScored }
    rolled.set(id, await rollingEvaluation(modelById(id), options))
  }
  printTable(bars, rolled)
  return [...skill(bars, rolled), ...replaySpeed(bars, rolled.get(bars.model) as RollingResult)]
}

function scoreOf(rolled: RollingResult | undefined, horizonDays: number, score: keyof typeof SCORES): number {
  return SCORES[score](rolled?.byHorizon.get(horizonDays) as Scored[])
}

/** Every model at every horizon, as in the model cards. */
function printTable({ asset, model, others }: ForecastThresholds, rolled: ReadonlyMap<string, RollingResult>): void {
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

function skill(given: ForecastThresholds, rolled: ReadonlyMap<string, RollingResult>): BenchRow[] {
  const { asset, from, bars, model, midday, coveredHorizonsDays = [] } = given
  const own = rolled.get(model) as RollingResult
  const of = (what: string) => `${asset} ${from.slice(0, 4)}, ${what}`
  const rows = bars.map(({ horizonDays, score, limit }): BenchRow => {
    const details = `${model}, ${own.byHorizon.get(horizonDays)?.length} days`
    return atMost(limit, '€/MWh', scoreOf(own, horizonDays, score), { name: of(`${horizonDays} d, ${score}`), details })
  })
  if (midday !== undefined) {
    const details = `${model}, ${own.midday.length} days, pinball ${pinball(own.midday).toFixed(3)}`
    rows.push(atMost(midday, '€/MWh', mae(own.midday), { name: of('1 d at midday, MAE'), details }))
  }
  rows.push(...coverageRows(of('1-30 d'), own.upTo30, COVERAGE))
  for (const days of coveredHorizonsDays)
    rows.push(...coverageRows(of(`${days} d`), own.byHorizon.get(days) as Scored[], HORIZON_COVERAGE))
  if (given.comparesWithLear) rows.push(...againstLear(of, own, given))
  return rows
}

function coverageRows(name: string, scored: readonly Scored[], bounds: typeof COVERAGE): BenchRow[] {
  const about = { name: `${name}, coverage`, details: `${scored.length} bands of 80%` }
  return between(bounds, 'ratio', coverage(scored), about)
}

/** In the evening and at midday, on the same days. */
function againstLear(
  of: (what: string) => string,
  { byHorizon, midday }: RollingResult,
  { from, to }: ForecastThresholds,
): BenchRow[] {
  const real = realHours(FIRST_DAY_OF_HOURS)
  if (!real) return []
  const [first, last] = [from, to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [DayNumber, DayNumber]
  return [false, true].map((isMidday) => {
    const theirs = publishedLear(real, { from: first, to: last, isMidday }).map(({ forecast, actual }) =>
      Math.abs(meanOf(forecast) - meanOf(actual)),
    )
    const ours = (isMidday ? midday : (byHorizon.get(1) as Scored[])).map(({ p50, actual }) => Math.abs(p50 - actual))
    const details = `MAE ${meanOf(ours).toFixed(3)} against ${meanOf(theirs).toFixed(3)} €/MWh`
    const name = of(`1 d${isMidday ? ' at midday' : ''}: p that it is no better than LEAR as published`)
    return atMost(P_MAX, 'ratio', dieboldMariano(ours, theirs), { name, details })
  })
}

/** Duration of a replay of one year, in proportion to the whole evaluation. */
function replaySpeed(
  { asset }: ForecastThresholds,
  { trainSeconds, predictSeconds, trainings, issues }: RollingResult,
): BenchRow[] {
  if (trainSeconds + predictSeconds < 1) return []
  return [
    atMost(REPLAY_SECONDS_MAX, 's', ((trainSeconds + predictSeconds) * DAYS_OF_A_YEAR) / issues, {
      name: `${asset}: replay of a year`,
      details: `${issues} issues, ${trainings} trainings every ${REFIT_DAYS} days: ${trainSeconds.toFixed(0)} s training, ${predictSeconds.toFixed(0)} s issuing`,
    }),
  ]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

export interface ForecastThresholds {
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  /** The active model. */
  model: string
  /** Models that it is compared with; always includes the walk, the reference for relative errors. */
  others: readonly string[]
  bars: readonly { horizonDays: number; score: 'MAE' | 'pinball'; limit: number }[]
  /** MAE of the next day, forecast at midday. */
  midday?: number
  /** Horizons whose coverage is checked separately. */
  coveredHorizonsDays?: readonly number[]
  /** Whether the next day is compared with LEAR as published. */
  comparesWithLear?: boolean
}

const BASELINES = ['conformal-walk', 'exponential-smoothing', 'same-weekday', 'last-day'] as const
/** Gas must score as well as the walk, within this factor. */
const WALK_TOLERANCE = 1.02

export const FORECAST_THRESHOLDS: readonly ForecastThresholds[] = [
  {
    asset: 'PUN',
    from: '2023-01-01',
    to: '2023-12-31',
    model: 'pun-ensemble',
    others: ['conformal-walk'],
    comparesWithLear: true,
    bars: [{ horizonDays: 1, score: 'MAE', limit: 7 }],
    midday: 7.4,
  },
  {
    asset: 'PUN',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'pun-ensemble',
    others: ['lear', 'base', ...BASELINES],
    comparesWithLear: true,
    bars: [
      { horizonDays: 1, score: 'MAE', limit: 5.6 },
      { horizonDays: 1, score: 'pinball', limit: 1.99 },
      { horizonDays: 7, score: 'pinball', limit: 2.95 },
      { horizonDays: 30, score: 'pinball', limit: 4.15 },
      { horizonDays: 90, score: 'pinball', limit: 6.65 },
      { horizonDays: 180, score: 'pinball', limit: 9 },
    ],
    midday: 5.75,
    coveredHorizonsDays: [7, 30, 90, 180],
  },
  {
    asset: 'PSV',
    from: '2023-10-01',
    to: '2024-09-30',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'MAE', limit: 0.93 },
      { horizonDays: 1, score: 'pinball', limit: 0.328 },
      { horizonDays: 7, score: 'pinball', limit: 0.82 * WALK_TOLERANCE },
      { horizonDays: 30, score: 'pinball', limit: 1.39 * WALK_TOLERANCE },
      { horizonDays: 90, score: 'pinball', limit: 2.4 * WALK_TOLERANCE },
      { horizonDays: 180, score: 'pinball', limit: 3.16 * WALK_TOLERANCE },
    ],
  },
  {
    asset: 'TTF',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'pinball', limit: 0.267 * WALK_TOLERANCE },
      { horizonDays: 7, score: 'pinball', limit: 0.58 * WALK_TOLERANCE },
      { horizonDays: 30, score: 'pinball', limit: 1.173 * WALK_TOLERANCE },
      { horizonDays: 90, score: 'pinball', limit: 2.383 * WALK_TOLERANCE },
      { horizonDays: 180, score: 'pinball', limit: 3.275 * WALK_TOLERANCE },
    ],
  },
]

/** Coverage of the 80% bands from 1 to 30 days ahead, pooled over the year. */
const COVERAGE = { min: 0.76, max: 0.9 }
/** Coverage at a single horizon. */
const HORIZON_COVERAGE = { min: 0.76, max: 0.88 }

export interface RollingOptions {
  record: PriceRecord
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  horizonsDays: readonly number[]
  refitDays: number
  /** Whether the midday forecast, made before the evening's gas prices, is scored as well. */
  isMiddayScored?: boolean
}

export interface RollingResult {
  /** Scored forecasts by horizon, in the order of their targets. */
  byHorizon: Map<number, Scored[]>
  /** Every band from 1 to 30 days ahead. */
  upTo30: Scored[]
  /** Forecasts of the next day made at midday. */
  midday: Scored[]
  trainSeconds: number
  trainings: number
  predictSeconds: number
  issues: number
}

/** Rolling evaluation: every issue of a span is remade with only the data published before it, and scored by horizon. */
export async function rollingEvaluation(model: ForecastModel, options: RollingOptions): Promise<RollingResult> {
  const { record, asset, horizonsDays, refitDays, isMiddayScored = false } = options
  const [from = 0, to = 0] = [options.from, options.to].map((day) => dayNumber(Temporal.PlainDate.from(day)))
  const { series } = historyAt(record, Temporal.Instant.from('2100-01-01T00:00:00Z'))
  const rolled: RollingResult = {
    byHorizon: new Map(horizonsDays.map((horizon) => [horizon, []])),
    upTo30: [],
    midday: [],
    trainSeconds: 0,
    trainings: 0,
    predictSeconds: 0,
    issues: 0,
  }
  let artefact: Artefact | undefined
  let trainedOn: DayNumber = 0
  for (const { info, history } of pastIssues(record, asset, from - Math.max(...horizonsDays), to - 1)) {
    if (!artefact || info - trainedOn >= refitDays) {
      const started = performance.now()
      artefact = await model.train(history, { asset, previous: artefact })
      trainedOn = info
      rolled.trainSeconds += (performance.now() - started) / 1000
      rolled.trainings++
    }
    const started = performance.now()
    const forecasts = model.predict(artefact, history, marketDay(info))
    rolled.issues++
    rolled.predictSeconds += (performance.now() - started) / 1000
    if (isMiddayScored && info + 1 >= from && info + 1 <= to) {
      const midday = historyAt(record, usualPublication(asset, marketDay(info)))
      const [next] = model.predict(artefact, midday, marketDay(info))
      const actual = priceOn(series[asset], info + 1)
      if (next && !Number.isNaN(actual)) rolled.midday.push({ p10: next.p10, p50: next.p50, p90: next.p90, actual })
    }
    for (const { targetDate, horizonDays, p10, p50, p90 } of forecasts) {
      const target = dayNumber(targetDate)
      const actual = priceOn(series[asset], target)
      if (target < from || target > to || Number.isNaN(actual)) continue
      rolled.byHorizon.get(horizonDays)?.push({ p10, p50, p90, actual })
      if (horizonDays <= 30) rolled.upTo30.push({ p10, p50, p90, actual })
    }
  }
  return rolled
}
