/** Replays the issue of each past market day with only what was known then; trained models are retrained every 28 days. */
import { dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, historyAt } from '../../models/history.ts'
import { type Artefact, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import { artefactOf } from './artefact-bytes.ts'
import { type PastIssue, pastIssues } from './past-issues.ts'
import { type Models, modelsFor, predict, retrainAndPredict, stateName } from './predict.ts'
import { priceRecord } from './price-record.ts'
import { type MadeForecast, type ReplayResult, type ReplayTask, UnknownModel } from './task.ts'

const REFIT_DAYS = 28

export async function runReplayTask(
  task: ReplayTask,
  models: readonly ForecastModel[],
  onDay: (day: string) => void,
): Promise<ReplayResult> {
  const { asset } = task
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const record = priceRecord(task)
  const outcomes = historyAt(record, now)
  const own = modelsFor(models, asset)
  const [first, last] = [task.from, task.to].map((day) => dayNumber(Temporal.PlainDate.from(day)))
  const candidates = modelsInOrder(task.model, own)
  const states = storedStates(task, candidates, first as number)
  const next = replayer(asset, own, candidates, outcomes, states)
  const forecasts: MadeForecast[] = []
  for (const issue of pastIssues(record, asset, first as number, last as number)) {
    const prediction = await next(issue)
    if (prediction.length === 0) continue
    forecasts.push(
      ...prediction,
      ...(await retrainAndPredict('benchmark', own.benchmark, { asset, ...issue }, outcomes)),
    )
    onDay(marketDay(issue.info).toString())
  }
  return { kind: 'replay', forecasts }
}

/** In the order in which they are tried: only the requested one, or the best first and the base model last. */
function modelsInOrder(wanted: string | undefined, { trained, base, benchmark }: Models): ForecastModel[] {
  if (wanted === undefined) return [...trained, base]
  const model = [...trained, base, benchmark].find(({ id }) => id === wanted)
  if (model === undefined)
    throw new UnknownModel(
      `there is no model "${wanted}"; there are ${[...trained, base, benchmark].map(({ id }) => id).join(', ')}`,
    )
  return [model]
}

type States = Map<string, { artefact: Artefact; trainedOn: number }>

/** Of each model the newest stored state that had not seen the first day. */
function storedStates({ artefacts = [] }: ReplayTask, candidates: readonly ForecastModel[], first: number): States {
  const states: States = new Map()
  for (const { model, version, dataTo, content } of artefacts) {
    const trainedOn = dayNumber(Temporal.PlainDate.from(dataTo))
    const isUsable = candidates.some((one) => one.id === model && one.version === version) && trainedOn <= first
    if (isUsable && !states.has(model)) states.set(model, { artefact: artefactOf(content), trainedOn })
  }
  return states
}

/** Forecasts from one past day with the first model that has enough history; nothing where none has. */
function replayer(
  asset: ForecastAsset,
  { trained }: Models,
  candidates: readonly ForecastModel[],
  outcomes: History,
  states: States,
) {
  const stateOf = async (model: ForecastModel, { info, history }: PastIssue): Promise<Artefact> => {
    const state = states.get(model.id)
    if (state !== undefined && info - state.trainedOn < REFIT_DAYS) return state.artefact
    const artefact = await model.train(history, { asset, ...(state && { previous: state.artefact }) })
    states.set(model.id, { artefact, trainedOn: info })
    return artefact
  }
  return async (issue: PastIssue): Promise<MadeForecast[]> => {
    for (const model of candidates) {
      try {
        if (!trained.includes(model)) return await retrainAndPredict('published', model, { asset, ...issue }, outcomes)
        const artefact = await stateOf(model, issue)
        const state = stateName({ dataTo: artefact.span.to })
        return predict({ role: 'published', model, artefact, state, asset, ...issue }, outcomes)
      } catch (err) {
        if (!(err instanceof TooLittleHistory)) throw err
      }
    }
    return []
  }
}
