/** The pipeline of a zone: each hour of each market day, from the best inputs known for the day. */
import { dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, historyAt, type PriceRecord, recordFrom } from '../../models/history.ts'
import { countDays, type HourlyHistory, hourOn, lastPricedDay } from '../../models/hourly/history.ts'
import { type HourlyRecord, hourlyHistoryAt, hourlyRecordFrom } from '../../models/hourly/record.ts'
import { stepsFor } from '../../models/hourly/steps.ts'
import {
  type HourlyArtefact,
  type HourlyDayForecast,
  type HourlyModel,
  hoursOf,
  TooLittleHistory,
} from '../../models/model.ts'
import {
  HOURLY_LOOK_BACK_DAYS,
  HOURLY_REACH_DAYS,
  INPUT_STEPS,
  type InputStep,
  usualIssueTime,
} from '../../src/market/forecast-scope.ts'
import { clockHoursOf, hoursInMarketDay } from '../../src/market/market-day.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { pastIssues } from './past-issues.ts'
import type { Forecaster, Models, NamedSeries, Pipeline } from './pipeline.ts'
import { versionOf } from './pipeline-of-days.ts'
import { type ReplayTask, TEST_DAYS } from './task.ts'

const PRICE_DECIMALS = 4
/** Further issues before the test days, since some days cannot be tested. */
const SPARE_DAYS = 10

interface HourlyInputRecords {
  record: PriceRecord
  hours: HourlyRecord
  /** The daily record as known now. */
  daily: History
}

/** For replays, `issue` is the issue to replay, and `inputs` the best input step that may be used. */
export function pipelineOfHours(
  zone: ZoneCode,
  { record, hours, daily }: HourlyInputRecords,
  models: readonly HourlyModel[],
  { issue = 'evening', inputs = 'everything' }: Pick<ReplayTask, 'issue' | 'inputs'> = {},
): Pipeline {
  const { trained, base, benchmark } = modelsOfHours(models)
  const history = hourlyHistoryAt(hours, daily, zone)
  const historyOf = (knownAt: Temporal.Instant) => hourlyHistoryAt(hours, historyAt(record, knownAt), zone)
  const infoDay = ({ prices }: HourlyHistory) => lastPricedDay(prices)
  const ofModel = (model: HourlyModel): Forecaster => {
    const steps = model.steps.filter((step) => INPUT_STEPS.indexOf(step) >= INPUT_STEPS.indexOf(inputs))
    return {
      ...{ id: model.id, version: model.version, daysNeeded: model.daysNeeded },
      train: (known: HourlyHistory, previous) =>
        model.train(known, previous && { previous: previous as HourlyArtefact }),
      predict(artefact, known: HourlyHistory, { role, nextOnly = false }) {
        const last = infoDay(known) as number
        const version = versionOf(model, trained.includes(model) ? artefact : undefined)
        const own = { role, model: model.id, version, issuedAtMs: known.knownAt.epochMilliseconds }
        const days = forecastByBestStep(
          model,
          steps,
          artefact as HourlyArtefact,
          known,
          nextOnly ? 1 : HOURLY_REACH_DAYS,
        )
        return days.map((day) => day && { ...own, ...madeHours(last, day, history) })
      },
    }
  }
  return {
    ...{ subject: hoursOf(zone), history, infoDay },
    ...{ trained: trained.map(ofModel), base: ofModel(base), benchmark: ofModel(benchmark) },
    historyAt: historyOf,
    inputs: inputsOf,
    daysKnown: ({ prices }: HourlyHistory) => countDays(prices),
    /** Each history has as much of the past as an issue reads. */
    testIssues() {
      const last = (infoDay(history) ?? 0) - 1
      const [first] = pastIssues(record, 'PUN', -Infinity, last).slice(-(TEST_DAYS + SPARE_DAYS))
      if (first === undefined) return []
      const from = marketDay(first.info - HOURLY_LOOK_BACK_DAYS)
      const [recent, recentHours] = [recordFrom(record, from), hourlyRecordFrom(hours, from)]
      return [...pastIssues(recent, 'PUN', first.info, last)].flatMap(({ history: known }) => {
        const past = hourlyHistoryAt(recentHours, known, zone)
        const info = infoDay(past)
        return info === undefined ? [] : [{ info, history: past }]
      })
    },
    *issues(first, last) {
      for (let info = first; info <= last; info++) {
        const past = historyOf(usualIssueTime(issue, marketDay(info)))
        if (infoDay(past) === info) yield { info, history: past }
      }
    },
  }
}

function modelsOfHours(all: readonly HourlyModel[]): Models<HourlyModel> {
  const naive = all.find(({ isBaseline }) => isBaseline)
  if (naive === undefined) throw new Error('there is no naive model of hours: see models/registry.ts')
  return { trained: all.filter(({ isBaseline }) => !isBaseline), base: naive, benchmark: naive }
}

interface BestDay extends HourlyDayForecast {
  inputs: InputStep
}

/** Forecasts each of the next days with the first of its input steps that the model can use. */
function forecastByBestStep(
  model: HourlyModel,
  steps: readonly InputStep[],
  artefact: HourlyArtefact,
  known: HourlyHistory,
  days: number,
): (BestDay | undefined)[] {
  const made = new Map<InputStep, HourlyDayForecast[]>()
  const forecastFrom = (step: InputStep) => {
    const found = made.get(step) ?? forecastOrEmpty(() => model.forecast(artefact, known, { days, step }))
    made.set(step, found)
    return found
  }
  return Array.from({ length: days }, (_, i) => {
    for (const step of stepsFor(known.fundamentals, (lastPricedDay(known.prices) as number) + 1 + i)) {
      const day = steps.includes(step) ? forecastFrom(step)[i] : undefined
      if (day !== undefined && hasValidQuantiles(day)) return { ...day, inputs: step }
    }
    return undefined
  })
}

function forecastOrEmpty(forecast: () => HourlyDayForecast[]): HourlyDayForecast[] {
  try {
    return forecast()
  } catch (err) {
    if (err instanceof TooLittleHistory || err instanceof RangeError) return []
    throw err
  }
}

/** Whether all quantiles are finite and in order; otherwise the next step, or the naive model, forecasts the day. */
function hasValidQuantiles({ hours }: HourlyDayForecast): boolean {
  return hours.every(({ p10, p50, p90 }) => p10 <= p50 && p50 <= p90 && Number.isFinite(p10 + p90))
}

/** 23 hours in March, without the skipped one; 25 in October, with the repeated one twice. `actual` is undefined if an hour is missing. */
function madeHours(last: number, { day, hours, inputs, mean }: BestDay, { prices }: HourlyHistory) {
  const clock = clockHoursOf(hoursInMarketDay(day))
  const quantile = (name: 'p10' | 'p50' | 'p90') => clock.map((hour) => roundPrice(hours[hour]?.[name] as number))
  const actual = clock.map((hour) => hourOn(prices, dayNumber(day), hour))
  return {
    ...{ inputs, infoDate: marketDay(last).toString(), targetDate: day.toString(), horizonDays: dayNumber(day) - last },
    ...{ p10: quantile('p10'), p50: quantile('p50'), p90: quantile('p90'), mean },
    actual: actual.some(Number.isNaN) ? undefined : actual,
  }
}

/** Rounds like the ledger. */
export function roundPrice(price: number): number {
  return Number(price.toFixed(PRICE_DECIMALS))
}

function inputsOf({ zone, prices, national, gas, fundamentals }: HourlyHistory) {
  const { load, wind, solar, usual, neighbours = {} } = fundamentals
  const hours = {
    ...{ [zone]: prices, [`${zone} mean`]: { firstDay: prices.firstDay, values: prices.means } },
    ...(national !== prices && { nazionale: national }),
    ...{ PSV: { ...gas.PSV, values: gas.PSV.prices }, TTF: { ...gas.TTF, values: gas.TTF.prices } },
    ...{ load, wind, solar, 'usual wind': usual?.wind, 'usual solar': usual?.solar, ...neighbours },
  }
  return Object.entries(hours).flatMap(([name, series]): NamedSeries[] =>
    series === undefined ? [] : [[name, series.firstDay, series.values]],
  )
}
