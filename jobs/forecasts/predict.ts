/** The models of an asset, and how each makes its forecasts. */
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, lastDay, priceOn } from '../../models/history.ts'
import { type Artefact, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import type { ArtefactBytes, MadeForecast } from './task.ts'

/** Needs no training ahead; used as long as no model was selected. */
const BASE_MODEL = 'base'
/** The naive forecast: the yardstick of all models, used where none is better. */
const BENCHMARK_MODEL = 'conformal-walk'

export interface Models {
  /** Trained ahead, best first. */
  trained: ForecastModel[]
  base: ForecastModel
  benchmark: ForecastModel
}

export function modelsFor(all: readonly ForecastModel[], asset: ForecastAsset): Models {
  const own = all.filter((model) => model.assets.includes(asset))
  const byId = (id: string) => {
    const model = own.find((one) => one.id === id)
    if (model === undefined) throw new Error(`${asset} has no model called ${id}: see models/registry.ts`)
    return model
  }
  const trained = own.filter(({ id, isBaseline }) => !isBaseline && id !== BASE_MODEL)
  return { trained, base: byId(BASE_MODEL), benchmark: byId(BENCHMARK_MODEL) }
}

/** The last known market day. @throws TooLittleHistory where nothing is known */
export function infoDay(history: History, asset: ForecastAsset, model: ForecastModel): DayNumber {
  const day = lastDay(history.series[asset])
  if (day === undefined) throw new TooLittleHistory(asset, model.daysNeeded, 0)
  return day
}

interface PredictionRequest {
  role: MadeForecast['role']
  model: ForecastModel
  artefact: Artefact
  /** Identifies the trained state; empty for a model without one. */
  state: string
  asset: ForecastAsset
  history: History
  info: DayNumber
  /** Default: as far as forecasts are made. */
  reachDays?: number | undefined
}

/** The model's forecasts from that day on, with the actual price where `outcomes` has it. */
export function predict(
  { role, model, artefact, state, asset, history, info, reachDays }: PredictionRequest,
  outcomes?: History,
): MadeForecast[] {
  const infoDate = marketDay(info)
  return model.predict(artefact, history, infoDate, reachDays).map(({ targetDate, horizonDays, p10, p50, p90 }) => {
    const price = outcomes === undefined ? Number.NaN : priceOn(outcomes.series[asset], dayNumber(targetDate))
    return {
      role,
      model: model.id,
      version: state === '' ? model.version : `${model.version}+${state}`,
      infoDate: infoDate.toString(),
      issuedAtMs: history.knownAt.epochMilliseconds,
      targetDate: targetDate.toString(),
      horizonDays,
      p10,
      p50,
      p90,
      actual: Number.isNaN(price) ? undefined : price,
    }
  })
}

/** For a model that needs no training ahead: it is trained on the history each time. */
export async function retrainAndPredict(
  role: MadeForecast['role'],
  model: ForecastModel,
  { asset, history, info, reachDays }: Pick<PredictionRequest, 'asset' | 'history' | 'info' | 'reachDays'>,
  outcomes?: History,
): Promise<MadeForecast[]> {
  const artefact = await model.train(history, { asset })
  return predict({ role, model, artefact, state: '', asset, history, info, reachDays }, outcomes)
}

/** Identifies a training by the last day it saw. */
export function stateName({ dataTo }: Pick<ArtefactBytes, 'dataTo'>): string {
  return dataTo.replaceAll('-', '')
}

/** Too little was known on the earliest days: they have no replay. */
export function noneIfTooLittle(err: unknown): MadeForecast[] {
  if (err instanceof TooLittleHistory) return []
  throw err
}
