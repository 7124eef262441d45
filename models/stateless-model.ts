/** A model that learns nothing: a rule for the median and a rule for the band, both computed from the history each time. */
import type { MarketDay } from '../src/market/market-day.ts'
import type { BandOffsets } from './bands/residual-bands.ts'
import { dayNumber, marketDay } from './calendar.ts'
import { forecastPath } from './forecast-path.ts'
import { type History, lastDay } from './history.ts'
import { countKnown, type KnownPrices, knownPrices } from './known-prices.ts'
import type { MedianPath, MedianRule } from './median-path.ts'
import {
  type Artefact,
  assertArtefactOf,
  FORECAST_REACH_DAYS,
  type Forecast,
  type ForecastAsset,
  type ForecastModel,
  TooLittleHistory,
} from './model.ts'

interface StatelessDefinition {
  id: string
  version: string
  assets: readonly ForecastAsset[]
  isBaseline: boolean
  description: string
  daysNeeded: number
  median: MedianRule
  /** Returns undefined if the history is too short for a band. */
  bands: (known: KnownPrices, path: MedianPath, reachDays: number) => BandOffsets | undefined
}

export function statelessModel(definition: StatelessDefinition): ForecastModel {
  const { median, bands, ...described } = definition
  const model: ForecastModel = {
    ...described,
    async train(history, { asset, seed = 0 }) {
      const known = enoughKnown(history, asset, lastDay(history.series[asset]), definition.daysNeeded)
      return emptyArtefact(definition, known, seed)
    },
    predict(artefact: Artefact, history: History, infoDate: MarketDay, reachDays = FORECAST_REACH_DAYS): Forecast[] {
      assertArtefactOf(model, artefact, model.assets)
      const known = enoughKnown(history, artefact.asset, dayNumber(infoDate), definition.daysNeeded)
      const path = median(known, history)
      const offsets = bands(known, path, reachDays)
      if (!offsets) throw new TooLittleHistory(artefact.asset, definition.daysNeeded, countKnown(known))
      return forecastPath(known, path(known.lastDay), offsets, reachDays)
    },
  }
  return model
}

/** @throws TooLittleHistory */
export function enoughKnown(
  history: History,
  asset: ForecastAsset,
  infoDay: number | undefined,
  daysNeeded: number,
): KnownPrices {
  const known = infoDay === undefined ? undefined : knownPrices(history, asset, infoDay)
  const count = known ? countKnown(known) : 0
  if (!known || count < daysNeeded) throw new TooLittleHistory(asset, daysNeeded, count)
  return known
}

function emptyArtefact({ id, version }: StatelessDefinition, known: KnownPrices, seed: number): Artefact {
  const span = { from: marketDay(known.firstDay).toString(), to: marketDay(known.lastDay).toString() }
  return { model: id, version, asset: known.asset, span, backend: 'none', seed, metrics: {}, state: null, arrays: {} }
}
