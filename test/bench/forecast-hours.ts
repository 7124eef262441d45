/**
 * Accuracy of the hourly forecasts on real prices compared with LEAR; each issue is remade with only the data published before it. No
 * choice was based on 2024. Skipped if the prices are absent.
 */
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import type { History } from '../../models/history.ts'
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { type Fundamentals, HOURS, type HourlyPrices } from '../../models/hourly/history.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import type { HourlyArtefact, HourlyModel, InputStep } from '../../models/model.ts'
import { median } from '../../models/numeric/quantile.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { dieboldMariano } from '../support/diebold-mariano.ts'
import { hourlyHistoryAt, type RealHours, realHours } from '../support/real-hours.ts'
import { atMost, type BenchRow, between, cachedForCommit } from './bench.ts'
import { publishedLear } from './published-lear.ts'

/** Early enough for every training window; load forecasts begin here. */
export const FIRST_DAY_OF_HOURS = '2014-12-31'
const BLOCK_HOURS = 4

/** Retrained every week, as in the service, or every `refitDays`. */
export function forecastHours(refitDays?: number): Promise<BenchRow[]> {
  return measureAccuracy(HOURLY_THRESHOLDS, { refitDays })
}

/** A check of one configuration that takes a minute. */
export function forecastSpotCheck(): Promise<BenchRow[]> {
  const [first] = HOURLY_THRESHOLDS
  return measureAccuracy(first ? [first] : [], { fromDay: '10-01' })
}

const FIRST_OF_YEAR = '01-01'

interface EvaluationScope {
  /** First day of each year, MM-DD. */
  fromDay?: string
  refitDays?: number
}

/** Accuracy of the hourly forecasts on real prices; each issue is remade with only the data known then, with weekly training. */
async function measureAccuracy(all: readonly HourlyThresholds[], extent: EvaluationScope): Promise<BenchRow[]> {
  const real = realHours(FIRST_DAY_OF_HOURS)
  if (!real) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const rows: BenchRow[] = []
  const pricesOnly = new Map<number, Scored[]>()
  for (const bars of all) {
    const part = `${nameOf(bars)} ${extent.fromDay ?? ''} ${extent.refitDays ?? ''}`
    const { skill, means } = await cachedForCommit(part, async () => {
      console.log(`  ${nameOf(bars)} …`)
      const rolled = await evaluateHours(real, bars, extent)
      return {
        skill: [
          ...hourlySkill(bars, rolled),
          ...hoursAgainstLear(bars, rolled, real),
          ...restDayNoonBias(bars, rolled, extent, real.all),
        ],
        means: rolled.means.get(1) as Scored[],
      }
    })
    if (bars.step === 'prices-only' && bars.zone === 'nazionale') pricesOnly.set(bars.year, means)
    rows.push(...skill, ...daily(bars, means, pricesOnly.get(bars.year)))
  }
  return rows
}

function nameOf({ zone, year, step }: HourlyThresholds): string {
  return `hours of ${zone}, ${year}, ${step}`
}

function evaluateHours(
  real: RealHours,
  { zone, year, step, bars }: HourlyThresholds,
  { fromDay = FIRST_OF_YEAR, refitDays }: EvaluationScope,
): Promise<RollingHoursResult> {
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

function hourlySkill(bars: HourlyThresholds, { hours }: RollingHoursResult): BenchRow[] {
  const rows = bars.bars.flatMap(({ ahead, mae: maeMax, pinball: pinballMax }): BenchRow[] => {
    const scored = hours.get(ahead) as Scored[]
    const name = `${nameOf(bars)}, ${ahead} d`
    const low = scored.filter(({ actual }) => actual < LOW_PRICE)
    const ofLow = `${low.length} hours below ${LOW_PRICE} €/MWh with MAE ${mae(low).toFixed(1)}`
    const details = `${scored.length / HOURS} days; coverage ${coverage(scored).toFixed(3)}; ${ofLow}`
    const ofMae = atMost(maeMax, '€/MWh', mae(scored), { name: `${name}, MAE`, details })
    if (pinballMax === undefined) return [ofMae]
    return [ofMae, atMost(pinballMax, '€/MWh', pinball(scored), { name: `${name}, pinball`, details })]
  })
  if (!bars.isCoverageChecked) return rows
  const next = hours.get(1) as Scored[]
  for (let block = 0; block < HOURS / BLOCK_HOURS; block++) {
    const own = next.filter((_, at) => Math.floor((at % HOURS) / BLOCK_HOURS) === block)
    const name = `${nameOf(bars)}, coverage of hours ${block * BLOCK_HOURS} to ${(block + 1) * BLOCK_HOURS}`
    rows.push(...between(BLOCK_COVERAGE, 'ratio', coverage(own), { name, details: 'band of 80%' }))
  }
  return rows
}

/** Mean hourly error of each day, compared with LEAR as published. */
function hoursAgainstLear(bars: HourlyThresholds, { hours }: RollingHoursResult, real: RealHours): BenchRow[] {
  if (!bars.isCoverageChecked) return []
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
  return [atMost(P_MAX, 'ratio', dieboldMariano(ours, theirs), { name, details })]
}

/** Bias on Sundays and holidays, when prices are near their floor and a p50 is easily biased. */
function restDayNoonBias(
  bars: HourlyThresholds,
  { hours }: RollingHoursResult,
  { fromDay = FIRST_OF_YEAR }: EvaluationScope,
  { holidays }: History,
): BenchRow[] {
  if (!bars.isCoverageChecked) return []
  const first = dayNumber(Temporal.PlainDate.from(`${bars.year}-${fromDay}`))
  const errors = (hours.get(1) as Scored[]).flatMap(({ p50, actual }, at) => {
    const [day, hour] = [first + Math.floor(at / HOURS), at % HOURS]
    const isRestDay = marketDay(day).dayOfWeek === 7 || holidays.has(day)
    return isRestDay && hour >= NOON.from && hour <= NOON.to ? [p50 - actual] : []
  })
  const name = `${nameOf(bars)}, median error of hours ${NOON.from} to ${NOON.to} of rest days`
  return between(NOON_BIAS, '€/MWh', median(errors), { name, details: `${errors.length} hours` })
}

/** The mean of the next day, and whether it is better than from prices alone. */
function daily(
  bars: HourlyThresholds,
  means: readonly Scored[],
  pricesOnly: readonly Scored[] | undefined,
): BenchRow[] {
  if (bars.daily === undefined) return []
  const details = `${means.length} days; pinball ${pinball(means).toFixed(2)}, coverage ${coverage(means).toFixed(2)}`
  const name = nameOf(bars)
  const ofMae = atMost(bars.daily, '€/MWh', mae(means), { name: `${name}, mean of the next day, MAE`, details })
  if (!pricesOnly) return [ofMae]
  const errors = (scored: readonly Scored[]) => scored.map(({ p50, actual }) => Math.abs(p50 - actual))
  const p = atMost(P_MAX, 'ratio', dieboldMariano(errors(means), errors(pricesOnly)), {
    name: `${name}: p that it is no better than prices only`,
    details: `MAE ${mae(means).toFixed(2)} against ${mae(pricesOnly).toFixed(2)} €/MWh`,
  })
  return [ofMae, p]
}

export interface HourlyThresholds {
  zone: ZoneCode
  year: 2023 | 2024
  step: InputStep
  bars: readonly { ahead: number; mae: number; pinball?: number }[]
  /** MAE of the daily mean of the next day. */
  daily?: number
  /** Whether the coverage of each block of four hours is checked. */
  isCoverageChecked?: boolean
}

const LOW_PRICE = 40
const NOON = { from: 10, to: 16 }
const NOON_BIAS = { min: -5, max: 5 }

export const HOURLY_THRESHOLDS: readonly HourlyThresholds[] = [
  {
    ...{ zone: 'nazionale', year: 2023, step: 'prices-only', isCoverageChecked: true },
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
    ...{ zone: 'nazionale', year: 2024, step: 'prices-only', isCoverageChecked: true },
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

/** Coverage of the 80% band over a year, in each block of four hours. */
export const BLOCK_COVERAGE = { min: 0.78, max: 0.82 }
/** Significance level of a gain. */
export const P_MAX = 0.01

export interface RollingHoursOptions {
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

export interface RollingHoursResult {
  /** 24 per day, in order. */
  hours: Map<number, Scored[]>
  /** Daily means. */
  means: Map<number, Scored[]>
}

/** Weekly, as in the service. */
const WEEKLY_REFIT_DAYS = 7

/** Rolling evaluation of the hours of a zone: each issue is remade with only the data known then. */
export async function rollingHours(
  real: RealHours,
  model: HourlyModel,
  { zone, from, to, aheads, step, drivers, refitDays = WEEKLY_REFIT_DAYS, isMidday }: RollingHoursOptions,
): Promise<RollingHoursResult> {
  const [first, last] = [from, to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [DayNumber, DayNumber]
  const prices = real.prices(zone)
  const farthest = Math.max(...aheads)
  const rolled: RollingHoursResult = {
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
      const dailyMean = prices.means[target - prices.firstDay] as number
      if (mean) rolled.means.get(target - info)?.push({ ...mean, actual: dailyMean })
    }
  }
  return rolled
}

function hoursOf({ firstDay, values }: HourlyPrices, day: DayNumber): Float64Array {
  return values.subarray((day - firstDay) * HOURS, (day - firstDay + 1) * HOURS)
}

export function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
}
