/** Interfaces of forecast models, for the days of an asset or the hours of a zone: pure functions of a history, without database, clock or files. */
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
  /** Quantiles of 24 clock hours, on change days too; an issue converts them to 23 or 25. */
  hours: Quantiles[]
  /** Quantiles of the day's mean, if the model has a band for it; its p50 is the mean of the hours'. */
  mean?: Quantiles
}

/** The result of training: everything `predict` needs besides the history. Plain data, so that it can be stored and compared. */
export interface Artefact<Subject extends ForecastSubject = ForecastAsset> {
  model: string
  version: string
  asset: Subject
  /** First and last day of the asset's own prices used in training, YYYY-MM-DD. */
  span: { from: string; to: string }
  /** The numerical backend used for training; `none` if training used none. */
  backend: Backend
  seed: number
  /** Out-of-sample errors by name, such as `mae`. Empty if none were measured. */
  metrics: Record<string, number>
  /** JSON values. */
  state: unknown
  /** Large numeric arrays, kept out of the JSON, by name. */
  arrays: Record<string, Float64Array>
}

export type HourlyArtefact = Artefact<HoursOfZone>

const BACKENDS = ['tfjs-node', 'wasm', 'cpu'] as const
export type Backend = (typeof BACKENDS)[number] | 'none'

export interface TrainOptions {
  asset: ForecastAsset
  /** Same seed, same history, same backend: the same artefact, bit for bit. */
  seed?: number
  /** The artefact in use so far; its forecasts since its training calibrate the new one's bands. Without one, past forecasts are backfilled. */
  previous?: Artefact
  /** Forces a backend; otherwise the best that works here. */
  backend?: Exclude<Backend, 'none'>
  signal?: AbortSignal
}

/** `Known` is the history that the model may use. */
export interface Model<Known = never, Subject extends ForecastSubject = ForecastSubject, Options = never> {
  /** The identifier shown as `model` and stored in the ledger. */
  id: string
  /** Changes whenever the same history would give other numbers. */
  version: string
  /** Other models must beat the baselines. */
  isBaseline: boolean
  /** One-sentence description for users. */
  description: string
  /** Minimum days of the subject's history. */
  daysNeeded: number
  /** @throws TooLittleHistory, TrainingDiverged */
  train(history: Known, options: Options): Promise<Artefact<Subject>>
}

export interface ForecastModel extends Model<History, ForecastAsset, TrainOptions> {
  assets: readonly ForecastAsset[]
  /**
   * Returns a forecast for every market day of the asset from `infoDate` + 1 to + `reachDays`, by default `FORECAST_REACH_DAYS`, in order; TTF has
   * trading days only. `infoDate` is the last day whose price may be used; anything later in `history` is ignored.
   * @throws TooLittleHistory, and RangeError if the artefact belongs to another model or version
   */
  predict(artefact: Artefact, history: History, infoDate: MarketDay, reachDays?: number): Forecast[]
}

type HourlyTrainOptions = Pick<TrainOptions, 'seed'> & { previous?: HourlyArtefact }

/** One artefact per zone serves all steps; steps with too little history are left out of it. */
export interface HourlyModel extends Model<HourlyHistory, HoursOfZone, HourlyTrainOptions | undefined> {
  /** Its input steps, in the order of `INPUT_STEPS`; `prices-only` is always among them. */
  steps: readonly InputStep[]
  train(history: HourlyHistory, options?: HourlyTrainOptions): Promise<HourlyArtefact>
  /**
   * Forecasts the `days` market days after the last priced one, in order, from the inputs of the step alone: other inputs in the history must
   * not affect the result. It looks back at most `HOURLY_LOOK_BACK_DAYS`. Values for a day with missing inputs are undefined and not used.
   * @throws TooLittleHistory, also if the artefact lacks the step; RangeError if it belongs to another model, version or zone
   */
  forecast(
    artefact: HourlyArtefact,
    history: HourlyHistory,
    options: { days: number; step: InputStep },
  ): HourlyDayForecast[]
}

/** @throws RangeError if the artefact belongs to another model or version, or to none of these subjects */
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

/** Thrown instead of inventing a band. The message says how many days are missing, or that those before the last one are. */
export class TooLittleHistory extends Error {
  override readonly name = 'TooLittleHistory'
  readonly asset: ForecastSubject
  readonly daysNeeded: number
  readonly daysKnown: number

  constructor(asset: ForecastSubject, daysNeeded: number, daysKnown: number) {
    const missing = daysNeeded - daysKnown
    super(
      missing > 0
        ? `${asset} needs ${counted(daysNeeded, 'day')} of prices before a forecast; ${counted(daysKnown, 'is', 'are')} known, ${counted(missing, 'is', 'are')} missing`
        : `${asset} has ${counted(daysKnown, 'day')} of prices, but too many of those before the last one are missing`,
    )
    this.asset = asset
    this.daysNeeded = daysNeeded
    this.daysKnown = daysKnown
  }
}

/** Thrown if the result of a training must not be used; the last good artefact stays in use. */
export class TrainingDiverged extends Error {
  override readonly name = 'TrainingDiverged'
}
