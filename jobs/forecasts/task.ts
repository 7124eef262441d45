/** What the model process is asked and what it answers: plain data, copied from process to process. */
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
  /** Milliseconds since 1970. */
  nowMs: number
}

export interface IssueTask extends Prices {
  kind: 'issue'
  assets: {
    asset: ForecastAsset
    /** The model that was chosen to speak; undefined where nothing has been decided, and the base model does. */
    model: string | undefined
    /** Its trained states, newest first: the first that is sound speaks. Empty for a model that is not trained. */
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
  /** Undefined: the best one that has enough history. */
  model: string | undefined
}

/** A replay asks for a model that is not there. */
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

export interface Refusal {
  asset: ForecastAsset
  outcome: 'refused'
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
  /** Why artefacts did not speak that should have, one sentence for each. */
  artefactProblems: string[]
}

export interface IssueResult {
  kind: 'issue'
  assets: (AssetIssue | Refusal)[]
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
  /** The model that is to speak. */
  speaks: string
  reason: string
  /** Errors by model, the baseline among them. */
  errors: Record<string, TestErrors>
  trained: TrainedModel[]
  /** Models whose training was given up, with the reason. */
  failed: { model: string; outcome: 'diverged' | 'too_little_history'; reason: string }[]
  /** With so many more days of prices one of those that had too few could be trained, or the test be held; undefined where none had. */
  missingDays: number | undefined
  /** The test's forecasts of the model that is to speak, and of the benchmark. */
  test: MadeForecast[]
}

export interface ReplayResult {
  kind: 'replay'
  forecasts: MadeForecast[]
}

export type Result = IssueResult | TrainResult | ReplayResult
