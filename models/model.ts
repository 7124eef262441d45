/** What a forecast model is: pure functions of a `History`; no database, no clock, no file. */
import type { ForecastAsset, ForecastSubject } from '../src/market/forecast-scope.ts'
import type { MarketDay } from '../src/market/market-day.ts'
import type { History } from './history.ts'

export {
  FORECAST_ASSETS,
  FORECAST_REACH_DAYS,
  type ForecastAsset,
  type ForecastSubject,
  type HoursOfZone,
  hoursOf,
} from '../src/market/forecast-scope.ts'

import { counted } from '../src/market/counted.ts'

/** One day's forecast, €/MWh; p10 ≤ p50 ≤ p90. */
export interface Forecast {
  targetDate: MarketDay
  /** Calendar days from the info date to the target: 3 from a Friday to a Monday. */
  horizonDays: number
  p10: number
  p50: number
  p90: number
}

/** The result of training: everything `predict` needs beside the history. Plain data, so that it can be stored and compared. */
export interface Artefact<Subject extends ForecastSubject = ForecastAsset> {
  model: string
  version: string
  asset: Subject
  /** Days of the asset's own prices that training saw, first and last, YYYY-MM-DD. */
  span: { from: string; to: string }
  /** The numerical backend that trained it; `none` where nothing was learned by one. */
  backend: Backend
  seed: number
  /** Errors on days that training did not see, by name: `mae`, `pinball`, `coverage80`. Empty where none were measured. */
  metrics: Record<string, number>
  /** JSON values. */
  state: unknown
  /** Numbers too many for JSON, by name. */
  arrays: Record<string, Float64Array>
}

const BACKENDS = ['tfjs-node', 'wasm', 'cpu'] as const
export type Backend = (typeof BACKENDS)[number] | 'none'

export interface TrainOptions {
  asset: ForecastAsset
  /** Same seed, same history, same backend: the same artefact, bit for bit. */
  seed?: number
  /** The artefact in use so far; its forecasts since then calibrate the new one's bands. Without one, past forecasts are backfilled. */
  previous?: Artefact
  /** Forces a backend; otherwise the best that works here. */
  backend?: Exclude<Backend, 'none'>
  signal?: AbortSignal
}

export interface ForecastModel {
  /** The identifier shown as `model` and stored in the ledger. */
  id: string
  /** Changes whenever the same history would give other numbers. */
  version: string
  assets: readonly ForecastAsset[]
  /** Baselines are what the others must beat. */
  isBaseline: boolean
  /** One sentence for people: what it is. */
  description: string
  /** Days of the asset's history without which it refuses. */
  daysNeeded: number
  /** @throws TooLittleHistory, TrainingDiverged */
  train(history: History, options: TrainOptions): Promise<Artefact>
  /**
   * A forecast for every market day of the asset from `infoDate` + 1 to + `FORECAST_REACH_DAYS`, in order; TTF has trading days only. `infoDate` is
   * the last day whose price may be used; anything later in `history` is ignored. With `reachDays` the same, but no farther.
   * @throws TooLittleHistory, and RangeError where the artefact is another model's or version's
   */
  predict(artefact: Artefact, history: History, infoDate: MarketDay, reachDays?: number): Forecast[]
}

/** Thrown rather than inventing a band. The message says what is missing. */
export class TooLittleHistory extends Error {
  override readonly name = 'TooLittleHistory'
  readonly asset: ForecastSubject
  readonly daysNeeded: number
  readonly daysKnown: number

  constructor(asset: ForecastSubject, daysNeeded: number, daysKnown: number) {
    super(
      `${asset} needs ${counted(daysNeeded, 'day')} of prices before a forecast; ${daysKnown} are known, ${daysNeeded - daysKnown} are missing`,
    )
    this.asset = asset
    this.daysNeeded = daysNeeded
    this.daysKnown = daysKnown
  }
}

/** A training whose result is not to be used; the last good artefact stays. */
export class TrainingDiverged extends Error {
  override readonly name = 'TrainingDiverged'
}
