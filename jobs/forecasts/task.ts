/** Requests to the model process and its results: plain data, copied from process to process. */
import type { Quantiles } from '../../models/model.ts'
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import type { InputStep, IssueKind } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import type { QuarterShape } from '../../src/market/quarter-shape.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'

export type VersionsByAsset = Record<ForecastAsset, PriceVersion[]>

/** What models of hours look at: the PUN too from that day on alone. */
export function versionsFrom(versions: VersionsByAsset, from: MarketDay): VersionsByAsset {
  return { ...versions, PUN: versions.PUN.filter(({ day }) => day >= from.toString()) }
}

export interface ArtefactBytes {
  model: string
  version: string
  /** YYYY-MM-DD */
  dataTo: string
  content: Uint8Array
}

/** What every task starts from. */
export interface Prices {
  versions: VersionsByAsset
  /** National holidays of the same years and of those ahead, YYYY-MM-DD. */
  holidays: string[]
  /** Milliseconds since 1970. */
  nowMs: number
}

/** What hours are forecast from, besides the daily prices. */
export interface HourlyInputs {
  /** Of market zones; the PUN's are among the daily prices. */
  versions: Partial<Record<ZoneCode, PriceVersion[]>>
  fundamentals: FundamentalVersion[]
}

export interface ZoneRequest {
  zone: ZoneCode
  /** Trained states of the active model, newest first; empty as long as none was selected. */
  artefacts: ArtefactBytes[]
}

export interface IssueTask extends Prices {
  kind: 'issue'
  hours?: HourlyInputs & { zones: ZoneRequest[] }
  assets: {
    asset: ForecastAsset
    /** The active model; undefined as long as none was selected and the base model is used. */
    model: string | undefined
    /** Its trained states, newest first: the first sound one is used. Empty for a model that is not trained. */
    artefacts: ArtefactBytes[]
  }[]
}

export interface TrainTask extends Prices {
  kind: 'train'
  asset: ForecastAsset
  /** Earlier artefacts, newest first. */
  artefacts: ArtefactBytes[]
}

export interface TrainHoursTask extends Prices {
  kind: 'train-hours'
  zone: ZoneCode
  hours: HourlyInputs
  /** Earlier artefacts, newest first. */
  artefacts: ArtefactBytes[]
}

export interface ReplayTask extends Prices {
  kind: 'replay'
  asset: ForecastAsset
  /** Market days of issue, YYYY-MM-DD, both included. */
  from: string
  to: string
  /** Default: the best one that has enough history. */
  model?: string | undefined
  /** Trained states of it: one that had not seen the first day is used in place of a training. */
  artefacts?: readonly ArtefactBytes[]
}

export interface ReplayHoursTask extends Omit<ReplayTask, 'kind' | 'asset'> {
  kind: 'replay-hours'
  zone: ZoneCode
  hours: HourlyInputs
  issue: IssueKind
  /** The best step that may be used; those below it are what it falls back to. */
  inputs: InputStep
}

/** A replay requests a model that does not exist. */
export class UnknownModel extends Error {
  override name = 'UnknownModel'
}

export type Task = IssueTask | TrainTask | TrainHoursTask | ReplayTask | ReplayHoursTask

/** €/MWh; dates are YYYY-MM-DD. */
export interface MadeForecast<Values extends number | number[] = number> {
  role: 'published' | 'benchmark'
  model: string
  version: string
  infoDate: string
  /** The instant as of which it was made, milliseconds since 1970. */
  issuedAtMs: number
  targetDate: string
  horizonDays: number
  p10: Values
  p50: Values
  p90: Values
  /** Where it is known; of hours, where all of the day's are. */
  actual: Values | undefined
}

/** A day of a zone: 23, 24 or 25 prices with 4 decimals in each quantile. */
export interface MadeHours extends MadeForecast<number[]> {
  inputs: InputStep
  /** The model's own forecast of the day's mean. */
  mean: Quantiles | undefined
}

export interface Rejection {
  outcome: 'rejected'
  /** One sentence that says what is missing. */
  reason: string
}

export interface MadeIssue<Day> {
  outcome: 'made'
  /** YYYY-MM-DD */
  infoDate: string
  inputsSha256: string
  forecasts: Day[]
  /** Why artefacts could not be used, one sentence for each. */
  artefactProblems: string[]
}

export type AssetIssue = { asset: ForecastAsset } & (MadeIssue<MadeForecast> | Rejection)
/** `quarterShape`: how the quarters of an hour lie about it; undefined where too few days have quarters. */
export type ZoneIssue = { zone: ZoneCode; quarterShape: QuarterShape | undefined } & (MadeIssue<MadeHours> | Rejection)

export interface IssueResult {
  kind: 'issue'
  assets: AssetIssue[]
  zones: ZoneIssue[]
}

/** Last scored days, on which models are compared. */
export const TEST_DAYS = 60
/** Issues before them, for closed or lost days that are in no calendar. */
export const SPARE_DAYS = 5
/** Last scored days that a training replays, those of the test among them. */
export const REPLAY_DAYS = 90

/** Errors over the days of the test. */
export interface TestErrors extends Record<string, number> {
  n: number
  mae: number
  pinball: number
  coverage80: number
}

export interface TrainedModel {
  model: string
  version: string
  dataFrom: string
  dataTo: string
  backend: string
  metrics: Record<string, number>
  content: Uint8Array
}

export interface Training<Day> {
  /** The selected model. */
  activeModel: string
  reason: string
  /** Errors by model, the baseline among them. */
  errors: Record<string, TestErrors>
  trained: TrainedModel[]
  /** Models whose training was given up, with the reason. */
  failed: { model: string; outcome: 'diverged' | 'too_little_history'; reason: string }[]
  /** Days of prices still missing for a training, or for the test; undefined where none are missing. */
  missingDays: number | undefined
  /** Forecasts of the selected model and of the benchmark for the last scored days. */
  replay: Day[]
}

export type TrainResult = { kind: 'train'; asset: ForecastAsset } & Training<MadeForecast>
export type TrainHoursResult = { kind: 'train-hours'; zone: ZoneCode } & Training<MadeHours>

export interface ReplayResult {
  kind: 'replay'
  forecasts: MadeForecast[]
}

export interface ReplayHoursResult {
  kind: 'replay-hours'
  forecasts: MadeHours[]
}

export type Result = IssueResult | TrainResult | TrainHoursResult | ReplayResult | ReplayHoursResult
