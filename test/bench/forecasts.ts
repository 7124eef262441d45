/**
 * The forecasts' skill on real prices, each issue made again with only what was published before it, beside LEAR and the baselines; the
 * hours'; and how long training, replaying and issuing take. 2024 is a year that no choice was made on. Skipped where the prices are
 * absent.
 */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pastIssues } from '../../jobs/forecasts/past-issues.ts'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, historyAt, type PriceRecord, priceOn } from '../../models/history.ts'
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { type Fundamentals, HOURS, type HourlyPrices } from '../../models/hourly/history.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import type {
  Artefact,
  ForecastAsset,
  ForecastModel,
  HourlyArtefact,
  HourlyModel,
  InputStep,
} from '../../models/model.ts'
import { median } from '../../models/numeric/quantile.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { dieboldMariano } from '../support/diebold-mariano.ts'
import { modelById } from '../support/model-by-id.ts'
import { hourlyHistoryAt, type RealHours, realHours } from '../support/real-hours.ts'
import { realPrices } from '../support/real-prices.ts'
import { atMost, type BenchRow } from './bench.ts'
import { forecastSpeed } from './forecast-speed.ts'
import { publishedLear } from './published-lear.ts'

const REFIT_DAYS = 28
const HORIZONS_DAYS = [1, 7, 30, 90, 180]
/** Long enough before the first day for every window. */
const FIRST_DAY = '2004-04-01'
const DAYS_OF_A_YEAR = 366
const REPLAY_SECONDS_MAX = 600

const SCORES = { MAE: mae, pinball }

/** All parts, hours with trainings as rare as those of the days: `forecast-hours` has weekly ones. A run that was stopped continues after its last part. */
export async function forecasts(): Promise<BenchRow[]> {
  return [
    ...(await onceForCommit('speed', forecastSpeed)),
    ...(await forecastDays()),
    ...(await forecastHours(REFIT_DAYS)),
  ]
}

const RESULTS = 'data/bench'

/** The result of a part, kept with the commit it was measured on; measured again where something is not committed. */
async function onceForCommit<Result>(part: string, measure: () => Promise<Result>): Promise<Result> {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  if (git('status', '--porcelain') !== '') return measure()
  const file = path.join(RESULTS, `${git('rev-parse', 'HEAD')}-${part.replaceAll(/\W+/g, '-')}.json`)
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  const result = await measure()
  await mkdir(RESULTS, { recursive: true })
  await writeFile(file, JSON.stringify(result))
  return result
}

export async function forecastDays(): Promise<BenchRow[]> {
  const record = realPrices(FIRST_DAY)
  if (!record) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  for (const bars of FORECAST_BARS)
    rows.push(...(await onceForCommit(`${bars.asset} ${bars.from}`, () => daysAgainst(bars, record))))
  return rows
}

async function daysAgainst(bars: ForecastBars, record: PriceRecord): Promise<BenchRow[]> {
  const rolled = new Map<string, Rolled>()
  for (const id of [bars.model, ...bars.others]) {
    console.log(`  ${bars.asset} ${bars.from} to ${bars.to}: ${id} …`)
    const { asset, from, to } = bars
    const isMiddayScored = id === bars.model && bars.midday !== undefined
    const options = { record, asset, from, to, horizonsDays: HORIZONS_DAYS, refitDays: REFIT_DAYS, isMiddayScored }
    rolled.set(id, await rollingEvaluation(modelById(id), options))
  }
  printTable(bars, rolled)
  return [...skill(bars, rolled), ...replaySpeed(bars, rolled.get(bars.model) as Rolled)]
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
  const { asset, from, bars, model, midday, coveredHorizonsDays = [] } = given
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
  if (given.isAgainstLear) rows.push(...againstLear(of, own, given))
  return rows
}

function covered(name: string, scored: readonly Scored[], { min, max }: { min: number; max: number }): BenchRow[] {
  const details = `${scored.length} bands of 80 %`
  const [measured, unit] = [coverage(scored), 'ratio'] as const
  return [{ atLeast: min }, { atMost: max }].map((bound) => {
    return { name: `${name}, coverage`, measured, unit, bound, details }
  })
}

/** In the evening and at midday, on the same days. */
function againstLear(
  of: (what: string) => string,
  { byHorizon, midday }: Rolled,
  { from, to }: ForecastBars,
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
    return atMost(name, dieboldMariano(ours, theirs), 'ratio', P_MAX, details)
  })
}

function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
}

/** The share of a year in what the whole evaluation took. */
function replaySpeed({ asset }: ForecastBars, { trainSeconds, predictSeconds, trainings, issues }: Rolled): BenchRow[] {
  if (trainSeconds + predictSeconds < 1) return []
  return [
    atMost(
      `${asset}: replay of a year`,
      ((trainSeconds + predictSeconds) * DAYS_OF_A_YEAR) / issues,
      's',
      REPLAY_SECONDS_MAX,
      `${issues} issues, ${trainings} trainings every ${REFIT_DAYS} days: ${trainSeconds.toFixed(0)} s training, ${predictSeconds.toFixed(0)} s issuing`,
    ),
  ]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

export interface ForecastBars {
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  /** The active model. */
  model: string
  /** Those it is compared with; the walk always, which errors are relative to. */
  others: readonly string[]
  bars: readonly { horizonDays: number; score: 'MAE' | 'pinball'; must: number }[]
  /** MAE of the next day, forecast at midday. */
  midday?: number
  /** Horizons whose bands are judged one by one. */
  coveredHorizonsDays?: readonly number[]
  /** Whether the next day is compared with LEAR as published. */
  isAgainstLear?: boolean
}

const BASELINES = ['conformal-walk', 'exponential-smoothing', 'same-weekday', 'last-day'] as const
/** A walk's own figure, give or take: how far gas must keep up with it. */
const LIKE_WALK = 1.02

export const FORECAST_BARS: readonly ForecastBars[] = [
  {
    asset: 'PUN',
    from: '2023-01-01',
    to: '2023-12-31',
    model: 'pun-ensemble',
    others: ['conformal-walk'],
    isAgainstLear: true,
    bars: [{ horizonDays: 1, score: 'MAE', must: 7 }],
    midday: 7.4,
  },
  {
    asset: 'PUN',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'pun-ensemble',
    others: ['lear', 'base', ...BASELINES],
    isAgainstLear: true,
    bars: [
      { horizonDays: 1, score: 'MAE', must: 5.6 },
      { horizonDays: 1, score: 'pinball', must: 1.99 },
      { horizonDays: 7, score: 'pinball', must: 2.95 },
      { horizonDays: 30, score: 'pinball', must: 4.15 },
      { horizonDays: 90, score: 'pinball', must: 6.65 },
      { horizonDays: 180, score: 'pinball', must: 9 },
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
      { horizonDays: 1, score: 'MAE', must: 0.93 },
      { horizonDays: 1, score: 'pinball', must: 0.328 },
      { horizonDays: 7, score: 'pinball', must: 0.82 * LIKE_WALK },
      { horizonDays: 30, score: 'pinball', must: 1.39 * LIKE_WALK },
      { horizonDays: 90, score: 'pinball', must: 2.4 * LIKE_WALK },
      { horizonDays: 180, score: 'pinball', must: 3.16 * LIKE_WALK },
    ],
  },
  {
    asset: 'TTF',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'pinball', must: 0.267 * LIKE_WALK },
      { horizonDays: 7, score: 'pinball', must: 0.58 * LIKE_WALK },
      { horizonDays: 30, score: 'pinball', must: 1.173 * LIKE_WALK },
      { horizonDays: 90, score: 'pinball', must: 2.383 * LIKE_WALK },
      { horizonDays: 180, score: 'pinball', must: 3.275 * LIKE_WALK },
    ],
  },
]

/** Of the 80 % bands from 1 to 30 days ahead, pooled over the year. */
export const COVERAGE_MIN = 0.76
export const COVERAGE_MAX = 0.9
/** Of those of one horizon. */
export const HORIZON_COVERAGE = { min: 0.76, max: 0.88 }

export interface RollingOptions {
  record: PriceRecord
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  horizonsDays: readonly number[]
  refitDays: number
  /** Whether the forecast of midday, made before the evening's gas prices, is scored as well. */
  isMiddayScored?: boolean
}

export interface Rolled {
  /** Scored forecasts by horizon, in order of their targets. */
  byHorizon: Map<number, Scored[]>
  /** Every band from 1 to 30 days ahead. */
  upTo30: Scored[]
  /** Of the next day, made at midday. */
  midday: Scored[]
  trainSeconds: number
  trainings: number
  predictSeconds: number
  issues: number
}

/** Rolling evaluation: every issue of a span made again with only what was published before it, and scored by horizon. */
export async function rollingEvaluation(model: ForecastModel, options: RollingOptions): Promise<Rolled> {
  const { record, asset, horizonsDays, refitDays, isMiddayScored = false } = options
  const [from, to] = [options.from, options.to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [
    number,
    number,
  ]
  const { series } = historyAt(record, Temporal.Instant.from('2100-01-01T00:00:00Z'))
  const rolled: Rolled = {
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

/** Long enough before the first day for every window, and where forecasts of the load begin. */
const FIRST_DAY_OF_HOURS = '2014-12-31'
const BLOCK_HOURS = 4

/** Trained every week, as in the service, or more rarely. */
export function forecastHours(refitDays?: number): Promise<BenchRow[]> {
  return measured(HOURLY_BARS, { refitDays })
}

/** A look at one of them that takes a minute. */
export function forecastLook(): Promise<BenchRow[]> {
  const [first] = HOURLY_BARS
  return measured(first ? [first] : [], { fromDay: '10-01' })
}

const FIRST_OF_YEAR = '01-01'

interface Extent {
  /** Of each year, MM-DD. */
  fromDay?: string
  refitDays?: number
}

/** The hours' skill on real prices, each issue made again with only what was known then, with models retrained every week. */
async function measured(all: readonly HourlyBars[], extent: Extent): Promise<BenchRow[]> {
  const real = realHours(FIRST_DAY_OF_HOURS)
  if (!real) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  const pricesOnly = new Map<number, Scored[]>()
  for (const bars of all) {
    const part = `${nameOf(bars)} ${extent.fromDay ?? ''} ${extent.refitDays ?? ''}`
    const { skill, means } = await onceForCommit(part, async () => {
      console.log(`  ${nameOf(bars)} …`)
      const rolled = await roll(real, bars, extent)
      return {
        skill: [
          ...hourlySkill(bars, rolled),
          ...hoursAgainstLear(bars, rolled, real),
          ...restDayNoons(bars, rolled, extent, real.all),
        ],
        means: rolled.means.get(1) as Scored[],
      }
    })
    if (bars.step === 'prices-only' && bars.zone === 'nazionale') pricesOnly.set(bars.year, means)
    rows.push(...skill, ...daily(bars, means, pricesOnly.get(bars.year)))
  }
  return rows
}

function nameOf({ zone, year, step }: HourlyBars): string {
  return `hours of ${zone}, ${year}, ${step}`
}

function roll(
  real: RealHours,
  { zone, year, step, bars }: HourlyBars,
  { fromDay = FIRST_OF_YEAR, refitDays }: Extent,
): Promise<RolledHours> {
  const aheads = [...new Set([1, ...bars.map(({ ahead }) => ahead)])]
  const model = hourlyEnsemble({ reachDays: aheads, steps: [step] })
  const all = {
    ...real.drivers,
    ...(step === 'usual-weather' && { usual: real.usual() }),
    neighbours: { CH: real.swiss },
  }
  const drivers = step === 'prices-only' ? undefined : all
  const span = { from: `${year}-${fromDay}`, to: `${year}-12-31` }
  return rollingHours(real, model, { zone, ...span, aheads, step, drivers, refitDays })
}

function hourlySkill(bars: HourlyBars, { hours }: RolledHours): BenchRow[] {
  const rows = bars.bars.flatMap(({ ahead, mae: maeMax, pinball: pinballMax }): BenchRow[] => {
    const scored = hours.get(ahead) as Scored[]
    const name = `${nameOf(bars)}, ${ahead} d`
    const low = scored.filter(({ actual }) => actual < LOW_PRICE)
    const ofLow = `${low.length} hours below ${LOW_PRICE} €/MWh with MAE ${mae(low).toFixed(1)}`
    const details = `${scored.length / HOURS} days; coverage ${coverage(scored).toFixed(3)}; ${ofLow}`
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

/** Each day's mean error of its hours, beside that of LEAR as published. */
function hoursAgainstLear(bars: HourlyBars, { hours }: RolledHours, real: RealHours): BenchRow[] {
  if (!bars.isCoverageJudged) return []
  const errors = (hours.get(1) as Scored[]).map(({ p50, actual }) => Math.abs(p50 - actual))
  const ours = Array.from({ length: errors.length / HOURS }, (_, day) =>
    meanOf(errors.slice(day * HOURS, (day + 1) * HOURS)),
  )
  const to = dayNumber(Temporal.PlainDate.from(`${bars.year}-12-31`))
  const theirs = publishedLear(real, { from: to - ours.length + 1, to }).map(({ forecast, actual }) =>
    meanOf(forecast.map((price, hour) => Math.abs(price - (actual[hour] as number)))),
  )
  const details = `MAE ${meanOf(ours).toFixed(3)} against ${meanOf(theirs).toFixed(3)} €/MWh`
  const name = `${nameOf(bars)}: p that they are no better than LEAR as published`
  return [atMost(name, dieboldMariano(ours, theirs), 'ratio', P_MAX, details)]
}

/** Of Sundays and holidays, where prices are near their floor and a median is easily none. */
function restDayNoons(
  bars: HourlyBars,
  { hours }: RolledHours,
  { fromDay = FIRST_OF_YEAR }: Extent,
  { holidays }: History,
): BenchRow[] {
  if (!bars.isCoverageJudged) return []
  const first = dayNumber(Temporal.PlainDate.from(`${bars.year}-${fromDay}`))
  const errors = (hours.get(1) as Scored[]).flatMap(({ p50, actual }, at) => {
    const [day, hour] = [first + Math.floor(at / HOURS), at % HOURS]
    const isRestDay = marketDay(day).dayOfWeek === 7 || holidays.has(day)
    return isRestDay && hour >= NOON.from && hour <= NOON.to ? [p50 - actual] : []
  })
  const measured = median(errors)
  const name = `${nameOf(bars)}, median error of hours ${NOON.from} to ${NOON.to} of rest days`
  const [unit, details] = ['€/MWh', `${errors.length} hours`] as const
  return [{ atLeast: -NOON_BIAS_MAX }, { atMost: NOON_BIAS_MAX }].map((bound) => ({
    name,
    measured,
    unit,
    bound,
    details,
  }))
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

export interface HourlyBars {
  zone: ZoneCode
  year: 2023 | 2024
  step: InputStep
  bars: readonly { ahead: number; mae: number; pinball?: number }[]
  /** Of the daily mean of the next day, MAE. */
  daily?: number
  /** Whether the coverage of each block of four hours is judged. */
  isCoverageJudged?: boolean
}

const LOW_PRICE = 40
const NOON = { from: 10, to: 16 }
const NOON_BIAS_MAX = 5

export const HOURLY_BARS: readonly HourlyBars[] = [
  {
    ...{ zone: 'nazionale', year: 2023, step: 'prices-only', isCoverageJudged: true },
    bars: [{ ahead: 1, mae: 10.4, pinball: 3.55 }],
  },
  { zone: 'nazionale', year: 2023, step: 'without-weather', bars: [{ ahead: 1, mae: 10.4 }] },
  { zone: 'nazionale', year: 2023, step: 'usual-weather', bars: [{ ahead: 1, mae: 10.4 }] },
  {
    ...{ zone: 'nazionale', year: 2023, step: 'without-neighbours' },
    bars: [{ ahead: 1, mae: 9.6 }],
    daily: 6.4,
  },
  {
    ...{ zone: 'nazionale', year: 2023, step: 'everything' },
    bars: [{ ahead: 1, mae: 9.2 }],
    daily: 6.1,
  },
  {
    ...{ zone: 'nazionale', year: 2024, step: 'prices-only', isCoverageJudged: true },
    bars: [
      { ahead: 1, mae: 8.3, pinball: 2.76 },
      { ahead: 2, mae: 9.8 },
      { ahead: 3, mae: 10.2 },
      { ahead: 7, mae: 11.5 },
    ],
  },
  { zone: 'nord', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 8.8, pinball: 2.95 }] },
  { zone: 'sud', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 9.9, pinball: 3.38 }] },
  { zone: 'sici', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 11.5, pinball: 4 }] },
]

/** Of the 80 % band over a year, in each block of four hours. */
export const BLOCK_COVERAGE = { min: 0.78, max: 0.82 }
/** A gain that is no luck. */
export const P_MAX = 0.01

export interface RollingHours {
  zone: ZoneCode
  /** First and last target day. */
  from: string
  to: string
  aheads: readonly number[]
  step: InputStep
  drivers?: Fundamentals
  refitDays?: number
  isMidday?: boolean
}

export interface RolledHours {
  /** 24 for each day, in order. */
  hours: Map<number, Scored[]>
  /** The day's mean. */
  means: Map<number, Scored[]>
}

/** Weekly, as in the service. */
const WEEKLY_REFIT_DAYS = 7

/** Rolling evaluation of the hours of a zone: each issue made again with only what was known then. */
export async function rollingHours(
  real: RealHours,
  model: HourlyModel,
  { zone, from, to, aheads, step, drivers, refitDays = WEEKLY_REFIT_DAYS, isMidday }: RollingHours,
): Promise<RolledHours> {
  const [first, last] = [from, to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [DayNumber, DayNumber]
  const prices = real.prices(zone)
  const farthest = Math.max(...aheads)
  const rolled: RolledHours = {
    hours: new Map(aheads.map((one) => [one, []])),
    means: new Map(aheads.map((one) => [one, []])),
  }
  let artefact: HourlyArtefact | undefined
  let trainedOn = 0
  for (let info = first - farthest; info <= last - 1; info++) {
    const history = hourlyHistoryAt(real, { zone, info, ahead: farthest, drivers, isMidday })
    if (!artefact || info - trainedOn >= refitDays) {
      artefact = await model.train(history, artefact && { previous: artefact })
      trainedOn = info
    }
    for (const { day, hours, mean } of model.forecast(artefact, history, { days: farthest, step })) {
      const target = dayNumber(day)
      if (target < first || target > last) continue
      const actual = hoursOf(prices, target)
      const scored = hours.map((quantiles, hour) => ({ ...quantiles, actual: actual[hour] as number }))
      rolled.hours.get(target - info)?.push(...scored)
      const whole = prices.means[target - prices.firstDay] as number
      if (mean) rolled.means.get(target - info)?.push({ ...mean, actual: whole })
    }
  }
  return rolled
}

function hoursOf({ firstDay, values }: HourlyPrices, day: DayNumber): Float64Array {
  return values.subarray((day - firstDay) * HOURS, (day - firstDay + 1) * HOURS)
}
