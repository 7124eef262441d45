/**
 * A subject as the tasks use it: its history as of an instant, and its models. An asset has one value for each day, a zone one for each
 * hour; issue, training and replay are the same for both.
 */
import { createHash } from 'node:crypto'
import type { DayNumber } from '../../models/calendar.ts'
import type { Artefact, ForecastSubject, Model } from '../../models/model.ts'
import { decodeArtefact } from './artefact-bytes.ts'
import type { PastIssue, PastIssues } from './past-issues.ts'
import type { ArtefactBytes, MadeDay } from './task.ts'

/** The history that a model may use; only the subject's own models read its other fields. */
export interface Known {
  knownAt: Temporal.Instant
}

export interface Prediction {
  role: MadeDay['role']
  /** Only the next market day, the only one that is scored. */
  nextOnly?: boolean
}

/** A model of a subject. */
export interface Forecaster extends Pick<Model, 'id' | 'version' | 'daysNeeded'> {
  train(known: Known, previous?: Artefact<ForecastSubject>): Promise<Artefact<ForecastSubject>>
  /** Returns the market days after the last known one, in order, with known actual prices; undefined for a day that it cannot forecast. */
  predict(artefact: Artefact<ForecastSubject>, known: Known, prediction: Prediction): (MadeDay | undefined)[]
}

export type NamedSeries = [name: string, firstDay: DayNumber, values: Float64Array]

export interface Models<Model> {
  /** Trained ahead, best first. */
  trained: Model[]
  /** Needs no training ahead; used until a model is selected. */
  base: Model
  /** The naive forecast: the yardstick of all models, used if none is better. */
  benchmark: Model
}

export interface Pipeline extends Models<Forecaster> {
  subject: ForecastSubject
  /** The current history. */
  history: Known
  historyAt(knownAt: Temporal.Instant): Known
  /** The last market day with a price. */
  infoDay(known: Known): DayNumber | undefined
  /** Everything that a model is given, each series with its name and first day. */
  inputs(known: Known): NamedSeries[]
  /** How many market days have a price. */
  daysKnown(known: Known): number
  /** Issues that a training tests on: the last ones before the last priced day, however long ago. */
  testIssues(): PastIssues<Known>
  /** Issues to replay, from the info dates `first` to `last`. */
  issues(first: DayNumber, last: DayNumber): Iterable<PastIssue<Known>>
}

/** Predicts with a model that needs no training ahead, by training it on the history each time. */
export async function retrainAndPredict(
  model: Forecaster,
  known: Known,
  prediction: Prediction,
): Promise<(MadeDay | undefined)[]> {
  return model.predict(await model.train(known), known, prediction)
}

/** Fills the days that are missing in `made` from `others`. */
export function fillMissingDays(made: readonly (MadeDay | undefined)[], others: readonly (MadeDay | undefined)[]) {
  return others.map((other, i) => made[i] ?? other)
}

export function isComplete(made: readonly (MadeDay | undefined)[]): made is MadeDay[] {
  return made.length > 0 && made.every((day) => day !== undefined)
}

/** Artefacts of the model's current version, newest first. */
export function usableArtefacts(
  artefacts: readonly ArtefactBytes[],
  { id, version }: Pick<Model, 'id' | 'version'>,
): Artefact<ForecastSubject>[] {
  return artefacts
    .filter((stored) => stored.model === id && stored.version === version)
    .map(({ content }) => decodeArtefact<ForecastSubject>(content))
}

/** SHA-256 over each series' name, first day and values as little-endian doubles, and over the artefact if one was used. */
export function inputsSha256(
  series: readonly NamedSeries[],
  artefact: Pick<ArtefactBytes, 'content'> | undefined,
): string {
  const hash = createHash('sha256')
  for (const [name, firstDay, values] of series) {
    const bytes = new DataView(new ArrayBuffer(values.length * 8))
    values.forEach((value, i) => {
      bytes.setFloat64(i * 8, value, true)
    })
    hash.update(`${name}|${firstDay}|`, 'utf8').update(bytes)
  }
  if (artefact !== undefined) hash.update(artefact.content)
  return hash.digest('hex')
}
