/** What an hourly model is: pure functions of an `HourlyHistory`; no database, no clock, no file. */
import type { InputStep } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import type { Artefact, HoursOfZone } from '../model.ts'
import type { HourlyHistory } from './history.ts'

export { HOURLY_REACH_DAYS, INPUT_STEPS, type InputStep } from '../../src/market/forecast-scope.ts'

/** €/MWh; p10 ≤ p50 ≤ p90. */
export interface Quantiles {
  p10: number
  p50: number
  p90: number
}

/** Its `asset` is `hoursOf(zone)`. */
export type HourlyArtefact = Artefact<HoursOfZone>

export interface HourlyDayForecast {
  day: MarketDay
  /** Of 24 clock hours, on change days too: the issuing job makes 23 or 25 of them. */
  hours: Quantiles[]
  /** Of the day's mean, where the model has a band for it; its p50 is the mean of the hours'. */
  mean?: Quantiles
}

interface HourlyTrainOptions {
  /** Same seed, same history: the same artefact, bit for bit. */
  seed?: number
  /** The artefact in use so far, of the same zone: its forecasts since then calibrate the new one's bands. */
  previous?: HourlyArtefact
}

export interface HourlyModel {
  /** The identifier shown as `model` and stored in the ledger. */
  id: string
  /** Changes whenever the same history would give other numbers. */
  version: string
  isBaseline: boolean
  /** One sentence for people: what it is. */
  description: string
  /** Days with hours without which it refuses. */
  daysNeeded: number
  /** Days up to the info date that `forecast` looks at; at most `HOURLY_LOOK_BACK_DAYS`, since an issue reads no more. */
  lookBackDays: number
  /** What it can do with which inputs, in the order of `INPUT_STEPS`; `prices-only` is always among them. */
  steps: readonly InputStep[]
  /**
   * One artefact of one zone for all steps; a step for which the history has too little is left out of it.
   * @throws TooLittleHistory, TrainingDiverged
   */
  train(history: HourlyHistory, options?: HourlyTrainOptions): Promise<HourlyArtefact>
  /**
   * The `days` market days after the last priced one, in order, from the inputs of the step alone: whatever else is in the history must
   * change nothing. A day whose inputs are not there may come out as anything; it is not used.
   * @throws TooLittleHistory, also where the artefact lacks the step; RangeError where it is another model's, version's or zone's
   */
  forecast(
    artefact: HourlyArtefact,
    history: HourlyHistory,
    options: { days: number; step: InputStep },
  ): HourlyDayForecast[]
}
