/** Interface of forecast models, of the days of an asset or of the hours of a zone: pure functions of a history; no database, no clock, no file. */
import { counted } from '../src/market/counted.ts'
import type { ForecastAsset, ForecastSubject, HoursOfZone, InputStep } from '../src/market/forecast-scope.ts'
import type { MarketDay } from '../src/market/market-day.ts'
import type { History } from './history.ts'
import type { HourlyHistory } from './hourly/history.ts'

export {
  FORECAST_ASSETS,
  FORECAST_REACH_DAYS,
  type ForecastAsset,
  type ForecastSubject,
  HOURLY_REACH_DAYS,
  type HoursOfZone,
  hoursOf,
  INPUT_STEPS,
  type InputStep,
} from '../src/market/forecast-scope.ts'

/** €/MWh; p10 ≤ p50 ≤ p90. */
export interface Quantiles {
  p10: number
  p50: number
  p90: number
}

/** One day's forecast. */
export interface Forecast extends Quantiles {
  targetDate: MarketDay
  /** Calendar days from the info date to the target: 3 from a Friday to a Monday. */
  horizonDays: number
}

export interface HourlyDayForecast {
  day: MarketDay
  /** Quantiles of 24 clock hours, on change days too: an issue makes 23 or 25 of them. */
  hours: Quantiles[]
  /** Quantiles of the day's mean, where the model has a band for it; its p50 is the mean of the hours'. */
  mean?: Quantiles
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

export type HourlyArtefact = Artefact<HoursOfZone>

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

/** `Known`: what it may see. */
export interface Model<Known = never, Subject extends ForecastSubject = ForecastSubject, Options = never> {
  /** The identifier shown as `model` and stored in the ledger. */
  id: string
  /** Changes whenever the same history would give other numbers. */
  version: string
  /** Baselines are what the others must beat. */
  isBaseline: boolean
  /** One sentence for people: what it is. */
  description: string
  /** Days of the subject's history without which it refuses. */
  daysNeeded: number
  /** @throws TooLittleHistory, TrainingDiverged */
  train(history: Known, options: Options): Promise<Artefact<Subject>>
}

export interface ForecastModel extends Model<History, ForecastAsset, TrainOptions> {
  assets: readonly ForecastAsset[]
  /**
   * A forecast for every market day of the asset from `infoDate` + 1 to + `FORECAST_REACH_DAYS`, in order; TTF has trading days only. `infoDate` is
   * the last day whose price may be used; anything later in `history` is ignored. With `reachDays` the same, but no farther.
   * @throws TooLittleHistory, and RangeError where the artefact is another model's or version's
   */
  predict(artefact: Artefact, history: History, infoDate: MarketDay, reachDays?: number): Forecast[]
}

type HourlyTrainOptions = Pick<TrainOptions, 'seed'> & { previous?: HourlyArtefact }

/** One artefact of one zone serves all steps; a step for which the history has too little is left out of it. */
export interface HourlyModel extends Model<HourlyHistory, HoursOfZone, HourlyTrainOptions | undefined> {
  /** Its input steps, in the order of `INPUT_STEPS`; `prices-only` is always among them. */
  steps: readonly InputStep[]
  train(history: HourlyHistory, options?: HourlyTrainOptions): Promise<HourlyArtefact>
  /**
   * The `days` market days after the last priced one, in order, from the inputs of the step alone: whatever else is in the history must
   * change nothing. It looks back at most `HOURLY_LOOK_BACK_DAYS`. A day whose inputs are missing may come out as anything; it is not used.
   * @throws TooLittleHistory, also where the artefact lacks the step; RangeError where it is another model's, version's or zone's
   */
  forecast(
    artefact: HourlyArtefact,
    history: HourlyHistory,
    options: { days: number; step: InputStep },
  ): HourlyDayForecast[]
}

/** @throws RangeError where the artefact is another model's or version's, or not of one of these subjects */
export function assertArtefactOf(
  { id, version }: Pick<Model, 'id' | 'version'>,
  artefact: Artefact<ForecastSubject>,
  subjects: readonly ForecastSubject[],
): void {
  if (artefact.model === id && artefact.version === version && subjects.includes(artefact.asset)) return
  throw new RangeError(
    `${id} ${version} cannot predict from an artefact of ${artefact.model} ${artefact.version} for ${artefact.asset}`,
  )
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
