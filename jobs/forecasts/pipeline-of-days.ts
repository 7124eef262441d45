/** The pipeline of an asset: a value for each market day. */
import { dayNumber, hasMarket, marketDay } from '../../models/calendar.ts'
import { type History, historyAt, lastDay, type PriceRecord, priceOn } from '../../models/history.ts'
import { countKnown } from '../../models/known-prices.ts'
import { type Artefact, FORECAST_ASSETS, type ForecastAsset, type ForecastModel } from '../../models/model.ts'
import { pastIssues } from './past-issues.ts'
import type { Forecaster, Models, Pipeline } from './pipeline.ts'
import { plainModels } from './task.ts'

/** `history`: the record as known now. */
export function pipelineOfDays(
  asset: ForecastAsset,
  { record, history }: { record: PriceRecord; history: History },
  models: readonly ForecastModel[],
): Pipeline {
  const { trained, base, benchmark } = modelsFor(models, asset)
  const infoDay = ({ series }: History) => lastDay(series[asset])
  const ofModel = (model: ForecastModel): Forecaster => ({
    ...{ id: model.id, version: model.version, daysNeeded: model.daysNeeded },
    train: (known: History, previous) =>
      model.train(known, { asset, ...(previous && { previous: previous as Artefact }) }),
    predict(artefact, known: History, { role, nextOnly = false }) {
      const info = infoDay(known) as number
      const infoDate = marketDay(info)
      const reachDays = nextOnly ? daysToNext(asset, info) : undefined
      return model.predict(artefact as Artefact, known, infoDate, reachDays).map(({ targetDate, ...forecast }) => {
        const actual = priceOn(history.series[asset], dayNumber(targetDate))
        return {
          ...{ role, model: model.id, version: versionOf(model, trained.includes(model) ? artefact : undefined) },
          ...{ infoDate: infoDate.toString(), issuedAtMs: known.knownAt.epochMilliseconds },
          ...{ targetDate: targetDate.toString(), ...forecast },
          actual: Number.isNaN(actual) ? undefined : actual,
        }
      })
    },
  })
  return {
    ...{ subject: asset, history, infoDay },
    ...{ trained: trained.map(ofModel), base: ofModel(base), benchmark: ofModel(benchmark) },
    historyAt: (knownAt) => historyAt(record, knownAt),
    inputs: ({ series }: History) => FORECAST_ASSETS.map((one) => [one, series[one].firstDay, series[one].prices]),
    daysKnown: ({ series }: History) => countKnown(series[asset]),
    testIssues: () => pastIssues(record, asset, -Infinity, (infoDay(history) ?? 0) - 1),
    issues: (first, last) => pastIssues(record, asset, first, last),
  }
}

function modelsFor(all: readonly ForecastModel[], asset: ForecastAsset): Models<ForecastModel> {
  const own = all.filter((model) => model.assets.includes(asset))
  const byId = (id: string) => {
    const model = own.find((one) => one.id === id)
    if (model === undefined) throw new Error(`${asset} has no model called ${id}: see models/registry.ts`)
    return model
  }
  const { base, benchmark } = plainModels(asset)
  const trained = own.filter(({ id, isBaseline }) => !isBaseline && id !== base)
  return { trained, base: byId(base), benchmark: byId(benchmark) }
}

function daysToNext(asset: ForecastAsset, info: number): number {
  let days = 1
  while (!hasMarket(asset, info + days)) days++
  return days
}

/** Adds the last day of the training data to the version if the model is trained ahead. */
export function versionOf({ version }: { version: string }, artefact?: Pick<Artefact, 'span'>): string {
  return artefact === undefined ? version : `${version}+${artefact.span.to.replaceAll('-', '')}`
}
