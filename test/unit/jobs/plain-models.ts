/** Small models that implement the interface strictly, for tests of the tasks around models. */
import { dayNumber, hasMarket, marketDay } from '../../../models/calendar.ts'
import { lastDay, priceOn, seriesThrough } from '../../../models/history.ts'
import {
  type Artefact,
  FORECAST_REACH_DAYS,
  type ForecastModel,
  TooLittleHistory,
  TrainingDiverged,
} from '../../../models/model.ts'

export interface PlainModelOptions {
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
        backend: 'none',
        seed,
        metrics: {},
        state: { offset },
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
      const made = []
      for (
        let day = nextMarketDay(artefact.asset, info);
        day <= info + FORECAST_REACH_DAYS;
        day = nextMarketDay(artefact.asset, day)
      )
        made.push({ targetDate: marketDay(day), horizonDays: day - info, p10: p50 - 10, p50, p90: p50 + 10 })
      return made
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

/** The first market day after that one. */
function nextMarketDay(asset: 'PUN' | 'PSV' | 'TTF', day: number): number {
  let next = day + 1
  while (!hasMarket(asset, next)) next++
  return next
}
