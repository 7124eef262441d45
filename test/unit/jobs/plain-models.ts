/** Small models that implement the interface strictly, for tests of the tasks around models. */
import { dayNumber, hasMarket, marketDay } from '../../../models/calendar.ts'
import { lastDay, priceOn, seriesThrough } from '../../../models/history.ts'
import { HOURS, type HourlyHistory, lastPricedDay } from '../../../models/hourly/history.ts'
import {
  type Artefact,
  FORECAST_REACH_DAYS,
  type ForecastModel,
  type HourlyModel,
  hoursOf,
  INPUT_STEPS,
  type InputStep,
  TooLittleHistory,
  TrainingDiverged,
} from '../../../models/model.ts'

const UNTRAINED = { backend: 'none' as const, metrics: {}, state: null, arrays: {} }

interface PlainModelOptions {
  id: string
  isBaseline: boolean
  /** Added to the last price. */
  offset?: number
  daysNeeded?: number
  version?: string
  /** Whether the n-th training, from 1, diverges. */
  diverges?: (training: number) => boolean
}

/** Forecasts the last known price plus an offset, with a band of ±10. */
export function plainModel({
  id,
  isBaseline,
  offset = 0,
  daysNeeded = 5,
  version = '1',
  diverges,
}: PlainModelOptions): ForecastModel {
  let trainings = 0
  return {
    id,
    version,
    assets: ['PUN', 'PSV', 'TTF'],
    isBaseline,
    description: 'the last price',
    daysNeeded,
    async train(history, { asset, seed = 1 }): Promise<Artefact> {
      trainings += 1
      const series = history.series[asset]
      const known = [...series.prices].filter((price) => !Number.isNaN(price)).length
      if (known < daysNeeded) throw new TooLittleHistory(asset, daysNeeded, known)
      if (diverges?.(trainings)) throw new TrainingDiverged(`${id} diverged`)
      return {
        model: id,
        version,
        asset,
        span: { from: marketDay(series.firstDay).toString(), to: marketDay(lastDay(series) ?? 0).toString() },
        ...UNTRAINED,
        seed,
        arrays: { offsets: Float64Array.of(offset) },
      }
    },
    predict(artefact, history, infoDate) {
      if (artefact.model !== id || artefact.version !== version)
        throw new RangeError(`an artefact of ${artefact.model} ${artefact.version} is not one of ${id} ${version}`)
      const info = dayNumber(infoDate)
      const p50 =
        priceOn(seriesThrough(history.series[artefact.asset], info), info) +
        (artefact.arrays.offsets?.[0] ?? Number.NaN)
      const ahead = Array.from({ length: FORECAST_REACH_DAYS }, (_, i) => i + 1)
      return ahead
        .filter((days) => hasMarket(artefact.asset, info + days))
        .map((days) => ({ targetDate: marketDay(info + days), horizonDays: days, p10: p50 - 10, p50, p90: p50 + 10 }))
    },
  }
}

/** `base` off by 5, the benchmark off by 8, preceded by the test's own models. */
export function plainModels(...trained: ForecastModel[]): ForecastModel[] {
  return [
    ...trained,
    plainModel({ id: 'base', isBaseline: false, offset: 5 }),
    plainModel({ id: 'conformal-walk', isBaseline: true, offset: 8 }),
  ]
}

/** Forecasts the same hours for each day, with a band of ±1. */
export function plainHourlyModel(
  id: string,
  p50Of: (history: HourlyHistory, hour: number, step: InputStep) => number,
): HourlyModel {
  const last = ({ prices }: HourlyHistory) => lastPricedDay(prices) as number
  return {
    ...{ id, version: '1', isBaseline: false, description: 'a test', daysNeeded: 1, lookBackDays: 1 },
    steps: INPUT_STEPS,
    async train(history) {
      const span = { from: '2025-01-01', to: marketDay(last(history)).toString() }
      return { model: id, version: '1', asset: hoursOf(history.zone), span, seed: 1, ...UNTRAINED }
    },
    forecast(_, history, { days, step }) {
      const hours = Array.from({ length: HOURS }, (_, hour) => {
        const p50 = p50Of(history, hour, step)
        return { p10: p50 - 1, p50, p90: p50 + 1 }
      })
      return Array.from({ length: days }, (_, i) => ({ day: marketDay(last(history) + 1 + i), hours }))
    },
  }
}
