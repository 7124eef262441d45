/** Requests to the model process and its results: plain data, copied from process to process. */
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'

export type VersionsByAsset = Record<ForecastAsset, PriceVersion[]>

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

export interface IssueTask extends Prices {
  kind: 'issue'
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

export interface ReplayTask extends Prices {
  kind: 'replay'
  asset: ForecastAsset
  /** Market days of issue, YYYY-MM-DD, both included. */
  from: string
  to: string
  /** Default: the best one that has enough history. */
  model: string | undefined
}

/** A replay requests a model that does not exist. */
export class UnknownModel extends Error {
  override name = 'UnknownModel'
}

export type Task = IssueTask | TrainTask | ReplayTask

/** €/MWh; dates are YYYY-MM-DD. */
export interface MadeForecast {
  role: 'published' | 'benchmark'
  model: string
  version: string
  infoDate: string
  /** The instant as of which it was made, milliseconds since 1970. */
  issuedAtMs: number
  targetDate: string
  horizonDays: number
  p10: number
  p50: number
  p90: number
  /** Of a replay, where it is known. */
  actual: number | undefined
}

export interface Rejection {
  asset: ForecastAsset
  outcome: 'rejected'
  /** One sentence that says what is missing. */
  reason: string
}

export interface AssetIssue {
  asset: ForecastAsset
  outcome: 'made'
  /** YYYY-MM-DD */
  infoDate: string
  inputsSha256: string
  forecasts: MadeForecast[]
  /** Why artefacts could not be used, one sentence for each. */
  artefactProblems: string[]
}

export interface IssueResult {
  kind: 'issue'
  assets: (AssetIssue | Rejection)[]
}

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

export interface TrainResult {
  kind: 'train'
  asset: ForecastAsset
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
  /** Test forecasts of the selected model and of the benchmark. */
  test: MadeForecast[]
}

export interface ReplayResult {
  kind: 'replay'
  forecasts: MadeForecast[]
}

export type Result = IssueResult | TrainResult | ReplayResult
