/** Which models there are for an asset, and how one that needs no training ahead is made to speak. */
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, lastDay, priceOn } from '../../models/history.ts'
import { type Artefact, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import type { ArtefactBytes, MadeForecast } from './task.ts'

/** Needs no training ahead, and speaks where nothing has been decided. */
export const BASE_MODEL = 'base'
/** The naive forecast: what all are compared with, and what speaks where none is better. */
export const BENCHMARK_MODEL = 'conformal-walk'

export interface Models {
  /** Trained ahead, best first. */
  trained: ForecastModel[]
  base: ForecastModel
  benchmark: ForecastModel
}

export function modelsFor(all: readonly ForecastModel[], asset: ForecastAsset): Models {
  const own = all.filter((model) => model.assets.includes(asset))
  const named = (id: string) => {
    const model = own.find((one) => one.id === id)
    if (model === undefined) throw new Error(`${asset} has no model called ${id}: see models/registry.ts`)
    return model
  }
  const trained = own.filter(({ id, isBaseline }) => !isBaseline && id !== BASE_MODEL)
  return { trained, base: named(BASE_MODEL), benchmark: named(BENCHMARK_MODEL) }
}

/** The last known market day. @throws TooLittleHistory where nothing is known */
export function infoDay(history: History, asset: ForecastAsset, model: ForecastModel): DayNumber {
  const day = lastDay(history.series[asset])
  if (day === undefined) throw new TooLittleHistory(asset, model.daysNeeded, 0)
  return day
}

export interface Speech {
  role: MadeForecast['role']
  model: ForecastModel
  artefact: Artefact
  /** Tells one trained state from another; empty for a model that has none. */
  state: string
  asset: ForecastAsset
  history: History
  info: DayNumber
}

/** What the model says from that day on; with the actual price where `outcomes` knows it. */
export function speak(
  { role, model, artefact, state, asset, history, info }: Speech,
  outcomes?: History,
): MadeForecast[] {
  const infoDate = marketDay(info)
  return model.predict(artefact, history, infoDate).map(({ targetDate, horizonDays, p10, p50, p90 }) => {
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

/** A model that needs no training ahead is made anew from the history each time. */
export async function speakAnew(
  role: MadeForecast['role'],
  model: ForecastModel,
  { asset, history, info }: Pick<Speech, 'asset' | 'history' | 'info'>,
  outcomes?: History,
): Promise<MadeForecast[]> {
  const artefact = await model.train(history, { asset })
  return speak({ role, model, artefact, state: '', asset, history, info }, outcomes)
}

/** Names the training: the last day it saw. */
export function stateName({ dataTo }: Pick<ArtefactBytes, 'dataTo'>): string {
  return dataTo.replaceAll('-', '')
}

/** Of an earlier day less was known: it has no replay. */
export function noneIfTooLittle(err: unknown): MadeForecast[] {
  if (err instanceof TooLittleHistory) return []
  throw err
}
