/** Requests to the model process and its results: plain data, copied from process to process. */
import type { Quantiles } from '../../models/model.ts'
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { type ForecastSubject, type InputStep, type IssueKind, zoneOf } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import type { QuarterShape } from '../../src/market/quarter-shape.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'

export type VersionsByAsset = Record<ForecastAsset, PriceVersion[]>

/** Limits the PUN's versions to those from that day on, as the hourly models take them. */
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

/** Common input of all tasks. */
export interface Inputs {
  versions: VersionsByAsset
  /** National holidays of the same years and of those ahead, YYYY-MM-DD. */
  holidays: string[]
  /** Milliseconds since 1970. */
  nowMs: number
  /** Omitted if no hours are forecast. */
  hours?: HourlyInputs
}

/** Inputs of hourly forecasts in addition to the daily prices. */
export interface HourlyInputs {
  /** Versions of market zones; the PUN's are among the daily prices. */
  versions: Partial<Record<ZoneCode, PriceVersion[]>>
  fundamentals: FundamentalVersion[]
}

/** The versions of a subject's own prices. */
export function ownVersions({ versions, hours }: Pick<Inputs, 'versions' | 'hours'>, subject: ForecastSubject) {
  const zone = zoneOf(subject)
  return zone === undefined ? versions[subject as ForecastAsset] : (hours?.versions[zone] ?? versions.PUN)
}

/** Returns the models that need no training ahead: the one used until another is selected, and the naive one, which others must beat. */
export function plainModels(subject: ForecastSubject): { base: string; benchmark: string } {
  if (zoneOf(subject) !== undefined) return { base: 'same-hour', benchmark: 'same-hour' }
  return { base: 'base', benchmark: 'conformal-walk' }
}

export interface SubjectRequest {
  subject: ForecastSubject
  /** The active model; undefined until one is selected, when the base model is used. */
  model: string | undefined
  /** Its trained states, newest first: the first sound one is used. Empty for a model that is not trained. */
  artefacts: ArtefactBytes[]
}

export interface IssueTask extends Inputs {
  kind: 'issue'
  requests: SubjectRequest[]
}

export interface TrainTask extends Inputs {
  kind: 'train'
  subject: ForecastSubject
  /** Earlier artefacts, newest first. */
  artefacts: ArtefactBytes[]
}

export interface ReplayTask extends Inputs {
  kind: 'replay'
  subject: ForecastSubject
  /** Market days of issue, YYYY-MM-DD, both included. */
  from: string
  to: string
  /** Default: the best one that has enough history. */
  model?: string | undefined
  /** Its trained states: one trained on no later day than `from` is used instead of a training. */
  artefacts?: readonly ArtefactBytes[]
  /** For hours: the issue to replay. Default: the evening's. */
  issue?: IssueKind | undefined
  /** For hours: the best step that may be used; the steps below it are its fallbacks. Default: everything. */
  inputs?: InputStep | undefined
}

/** A replay requests a model that does not exist. */
export class UnknownModel extends Error {
  override name = 'UnknownModel'
}

export type Task = IssueTask | TrainTask | ReplayTask

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
  /** Undefined until it is known; for hours, until the whole day is known. */
  actual: Values | undefined
}

/** A day of a zone: 23, 24 or 25 prices with 4 decimals in each quantile. */
export interface MadeHours extends MadeForecast<number[]> {
  inputs: InputStep
  /** The model's own forecast of the day's mean. */
  mean: Quantiles | undefined
}

export type MadeDay = MadeForecast | MadeHours

export interface Rejection {
  outcome: 'rejected'
  /** One sentence that says what is missing. */
  reason: string
}

export interface MadeIssue {
  outcome: 'made'
  /** YYYY-MM-DD */
  infoDate: string
  inputsSha256: string
  forecasts: MadeDay[]
  /** Why artefacts could not be used, one sentence for each. */
  artefactProblems: string[]
}

export type SubjectIssue = {
  subject: ForecastSubject
  /** For hours: deviations of quarters from their hour; undefined if too few days have quarters. */
  quarterShape?: QuarterShape | undefined
} & (MadeIssue | Rejection)

export interface IssueResult {
  kind: 'issue'
  issues: SubjectIssue[]
}

/** Last scored days, on which models are compared. */
export const TEST_DAYS = 60
/** Issues before those days, to make up for closed or lost days that are in no calendar. */
export const SPARE_DAYS = 5
/** Last scored days that a training replays, including those of the test. */
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

export interface Training {
  /** The selected model. */
  activeModel: string
  reason: string
  /** Errors by model, the baseline among them. */
  errors: Record<string, TestErrors>
  trained: TrainedModel[]
  /** Models whose training failed, with the reason. */
  failed: { model: string; outcome: 'diverged' | 'too_little_history'; reason: string }[]
  /** Days of prices still missing for a training or for the test; undefined if none are missing. */
  missingDays: number | undefined
  /** Forecasts of the selected model and of the benchmark for the last scored days. */
  replay: MadeDay[]
}

export type TrainResult = { kind: 'train' } & Training

export interface ReplayResult {
  kind: 'replay'
  forecasts: MadeDay[]
}

export type Result = IssueResult | TrainResult | ReplayResult
