/** Replays the issue of each past market day from what was known then; trained models are retrained every 28 days. */
import { dayNumber, marketDay } from '../../models/calendar.ts'
import { type Artefact, type ForecastSubject, TooLittleHistory } from '../../models/model.ts'
import type { PastIssue } from './past-issues.ts'
import {
  type Forecaster,
  fillMissingDays,
  isComplete,
  type Known,
  type Pipeline,
  retrainAndPredict,
  usableArtefacts,
} from './pipeline.ts'
import { type MadeDay, type ReplayTask, UnknownModel } from './task.ts'

const REFIT_DAYS = 28

export async function runReplayTask(
  pipeline: Pipeline,
  { model, artefacts = [], ...days }: Pick<ReplayTask, 'from' | 'to' | 'model' | 'artefacts'>,
  onDay: (day: string) => void,
): Promise<MadeDay[]> {
  const [first, last] = [days.from, days.to].map((day) => numberOf(day)) as [number, number]
  const candidates = modelsInOrder(model, pipeline)
  const states = new Map<string, Artefact<ForecastSubject>>()
  for (const { id, version } of candidates) {
    const stored = usableArtefacts(artefacts, { id, version }).find(({ span }) => numberOf(span.to) <= first)
    if (stored !== undefined) states.set(id, stored)
  }
  const forecasts: MadeDay[] = []
  for (const issue of pipeline.issues(first, last)) {
    const published = await publishedOn(issue, candidates, pipeline.trained, states)
    if (published.length === 0) continue
    const naive = await retrainAndPredict(pipeline.benchmark, issue.history, { role: 'benchmark' })
    forecasts.push(...published, ...naive.filter((day) => day !== undefined))
    onDay(marketDay(issue.info).toString())
  }
  return forecasts
}

function numberOf(day: string): number {
  return dayNumber(Temporal.PlainDate.from(day))
}

/** Returns the models in the order in which they are tried: only the requested one, or the best first and the base model last. */
function modelsInOrder(requestedId: string | undefined, { trained, base, benchmark }: Pipeline): Forecaster[] {
  if (requestedId === undefined) return [...trained, base]
  const all = [...new Map([...trained, base, benchmark].map((one) => [one.id, one])).values()]
  const model = all.find(({ id }) => id === requestedId)
  if (model === undefined)
    throw new UnknownModel(`there is no model "${requestedId}"; there are ${all.map(({ id }) => id).join(', ')}`)
  return [model]
}

/** Forecasts each day with the first model that can; returns nothing unless all days have a forecast. Retrains `states` when due. */
async function publishedOn(
  { info, history }: PastIssue<Known>,
  candidates: readonly Forecaster[],
  trained: readonly Forecaster[],
  states: Map<string, Artefact<ForecastSubject>>,
): Promise<MadeDay[]> {
  let made: (MadeDay | undefined)[] = []
  for (const model of candidates) {
    try {
      const state = states.get(model.id)
      const isFresh = state !== undefined && info - numberOf(state.span.to) < REFIT_DAYS
      const artefact = isFresh ? state : await model.train(history, state)
      if (trained.includes(model)) states.set(model.id, artefact)
      made = fillMissingDays(made, model.predict(artefact, history, { role: 'published' }))
      if (isComplete(made)) return made
    } catch (err) {
      if (!(err instanceof TooLittleHistory)) throw err
    }
  }
  return []
}
