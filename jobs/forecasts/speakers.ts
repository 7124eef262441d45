/** Which models there are for an asset, and how one that needs no training ahead is made to speak. */
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, lastDay, priceOn } from '../../models/history.ts'
import { type Artefact, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import type { MadeForecast } from './task.ts'

/** The naive forecast that all are compared with. */
export const BENCHMARK_MODEL = 'walk'

export interface Models {
  /** Trained ahead, best first. */
  trained: ForecastModel[]
  /** Speaks where none of them does. */
  base: ForecastModel
  benchmark: ForecastModel
}

export function modelsFor(all: readonly ForecastModel[], asset: ForecastAsset): Models {
  const own = all.filter((model) => model.assets.includes(asset))
  const baselines = own.filter((model) => model.isBaseline)
  const [base] = baselines
  const benchmark = baselines.find(({ id }) => id === BENCHMARK_MODEL)
  if (base === undefined || benchmark === undefined)
    throw new Error(`${asset} has no baseline, or none that is called ${BENCHMARK_MODEL}: see models/registry.ts`)
  return { trained: own.filter((model) => !model.isBaseline), base, benchmark }
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

/** A baseline is made anew from the history each time. */
export async function speakAnew(
  role: MadeForecast['role'],
  model: ForecastModel,
  { asset, history, info }: Pick<Speech, 'asset' | 'history' | 'info'>,
  outcomes?: History,
): Promise<MadeForecast[]> {
  const artefact = await model.train(history, { asset })
  return speak({ role, model, artefact, state: '', asset, history, info }, outcomes)
}
