/**
 * Trains the models of an asset and selects the active one. Each is tested on the last 60 scored days, every day with an artefact that
 * had not seen it: one of earlier weeks or, the first time, one trained as of 90 days ago. With the month before its test, that is its replay.
 */

import { dayNumber, hasMarket } from '../../models/calendar.ts'
import { type History, historyAt, lastDay, type PriceRecord } from '../../models/history.ts'
import {
  type Artefact,
  type ForecastAsset,
  type ForecastModel,
  TooLittleHistory,
  TrainingDiverged,
} from '../../models/model.ts'
import { artefactBytes, artefactOf } from './artefact-bytes.ts'
import { type PastIssue, type PastIssues, pastIssues } from './past-issues.ts'
import { modelsFor, noneIfTooLittle, predict, retrainAndPredict, stateName } from './predict.ts'
import { priceRecord } from './price-record.ts'
import { selectModel, testErrors } from './promotion.ts'
import {
  type ArtefactBytes,
  type MadeForecast,
  REPLAY_DAYS,
  TEST_DAYS,
  type TrainedModel,
  type TrainResult,
  type TrainTask,
} from './task.ts'

/** Calendar days that hold 90 trading days, with some to spare. */
const REPLAY_SPAN_DAYS = 150
/** Closed days that are in no calendar. */
const SPARE_DAYS = 5

/** Calls `onTraining` at the start of each training. */
export async function runTrainTask(
  task: TrainTask,
  models: readonly ForecastModel[],
  onTraining: (model: string) => void = () => {},
): Promise<TrainResult> {
  const { asset } = task
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const record = priceRecord(task)
  const history = historyAt(record, now)
  const { trained: candidates, base, benchmark } = modelsFor(models, asset)
  const issues = replayIssues(record, asset, history)
  const replays = new Map([
    [base.id, await testRetrained('published', base, asset, issues, history)],
    [benchmark.id, await testRetrained('benchmark', benchmark, asset, issues, history)],
  ])
  const trained: TrainedModel[] = []
  const tested: string[] = []
  const failed: TrainResult['failed'] = []
  const missing: number[] = []
  for (const model of candidates) {
    const train = (known: History, previous?: Artefact) => {
      onTraining(model.id)
      return model.train(known, { asset, ...(previous && { previous }) })
    }
    try {
      const stored = usable(task.artefacts, model)
      const known = await earlierThanTest(model, asset, issues, stored, train)
      // Saved too: the trainings of the coming weeks need one that has not seen their test days.
      trained.push(...known.slice(stored.length).map(describe))
      replays.set(model.id, replayOf(model, asset, { history, issues, known }))
      tested.push(model.id)
      trained.push(describe(await train(history, known[0])))
    } catch (err) {
      failed.push(failureOf(model, err))
      if (err instanceof TooLittleHistory) missing.push(err.daysNeeded - err.daysKnown)
    }
  }

  const errors = Object.fromEntries([...replays].map(([id, made]) => [id, testErrors(made.slice(-TEST_DAYS))]))
  const untested = TEST_DAYS - (errors[benchmark.id]?.n ?? 0)
  if (untested > 0) missing.push(untested)
  // A model whose training failed continues with its last good artefact, if it has one.
  const able = tested.filter((id) => trained.some(({ model }) => model === id) || hasArtefact(task, id, candidates))
  const { activeModel, reason } = selectModel(base.id, benchmark.id, [base.id, ...able], errors)
  const naive = replays.get(benchmark.id) ?? []
  const published = (replays.get(activeModel) ?? []).map((made) => ({ ...made, role: 'published' as const }))
  const missingDays = missing.length === 0 ? undefined : Math.min(...missing)
  return {
    kind: 'train',
    asset,
    activeModel,
    reason,
    errors,
    trained,
    failed,
    missingDays,
    replay: [...published, ...naive],
  }
}

function hasArtefact({ artefacts }: TrainTask, id: string, candidates: readonly ForecastModel[]): boolean {
  return candidates.some((model) => model.id === id && usable(artefacts, model).length > 0)
}

/** Expected failures are reported; anything else is an internal error and thrown. */
function failureOf(model: ForecastModel, err: unknown): TrainResult['failed'][number] {
  if (err instanceof TrainingDiverged) return { model: model.id, outcome: 'diverged', reason: err.message }
  if (err instanceof TooLittleHistory) return { model: model.id, outcome: 'too_little_history', reason: err.message }
  throw err
}

/** The last issues whose next market day is known now, and as many more as may turn out to have no price. */
function replayIssues(record: PriceRecord, asset: ForecastAsset, history: History): PastIssues {
  const end = lastDay(history.series[asset])
  if (end === undefined) return pastIssues(record, asset, 0, -1)
  return pastIssues(record, asset, end - REPLAY_SPAN_DAYS, end - 1).last(REPLAY_DAYS + SPARE_DAYS)
}

async function testRetrained(
  role: MadeForecast['role'],
  model: ForecastModel,
  asset: ForecastAsset,
  issues: PastIssues,
  outcomes: History,
): Promise<MadeForecast[]> {
  const made: MadeForecast[] = []
  for (const issue of issues) {
    const prediction = await retrainAndPredict(role, model, { asset, ...toNextDay(asset, issue) }, outcomes).catch(
      noneIfTooLittle,
    )
    made.push(...scored(prediction))
  }
  return made.slice(-REPLAY_DAYS)
}

/** The artefacts, newest first, at least one of them older than the first test day. */
async function earlierThanTest(
  model: ForecastModel,
  asset: ForecastAsset,
  issues: PastIssues,
  stored: readonly Artefact[],
  train: (history: History) => Promise<Artefact>,
): Promise<Artefact[]> {
  const [[first], [firstTest]] = [issues, issues.last(TEST_DAYS + SPARE_DAYS)]
  if (first === undefined || firstTest === undefined) throw new TooLittleHistory(asset, model.daysNeeded + TEST_DAYS, 0)
  if (stored.some((artefact) => trainedBefore(artefact, firstTest))) return [...stored]
  const trained = await train(first.history).catch((err) => {
    if (err instanceof TooLittleHistory) return train(firstTest.history)
    throw err
  })
  return [...stored, trained]
}

interface TestContext {
  history: History
  issues: PastIssues
  /** Newest first. */
  known: readonly Artefact[]
}

/** Forecasts each day with the newest artefact that had not seen it; days that all have seen are left out. */
function replayOf(model: ForecastModel, asset: ForecastAsset, { history, issues, known }: TestContext): MadeForecast[] {
  const made: MadeForecast[] = []
  for (const issue of issues) {
    const artefact = known.find((one) => trainedBefore(one, issue))
    if (artefact === undefined) continue // before the test
    const state = stateName({ dataTo: artefact.span.to })
    made.push(
      ...scored(predict({ role: 'published', model, artefact, state, asset, ...toNextDay(asset, issue) }, history)),
    )
  }
  return made.slice(-REPLAY_DAYS)
}

/** No farther than the next market day, which alone is scored. */
function toNextDay(asset: ForecastAsset, issue: PastIssue): PastIssue & { reachDays: number } {
  let reachDays = 1
  while (!hasMarket(asset, issue.info + reachDays)) reachDays++
  return { ...issue, reachDays }
}

function trainedBefore({ span }: Artefact, { info }: PastIssue): boolean {
  return dayNumber(Temporal.PlainDate.from(span.to)) <= info
}

/** The forecast of the next market day, where its price is known. */
function scored([next]: readonly MadeForecast[]): MadeForecast[] {
  return next?.actual === undefined ? [] : [next]
}

/** Those of the model's present version, newest first. */
function usable(artefacts: readonly ArtefactBytes[], model: ForecastModel): Artefact[] {
  return artefacts
    .filter((stored) => stored.model === model.id && stored.version === model.version)
    .map(({ content }) => artefactOf(content))
}

function describe(artefact: Artefact): TrainedModel {
  const { model, version, span, backend, metrics } = artefact
  return { model, version, dataFrom: span.from, dataTo: span.to, backend, metrics, content: artefactBytes(artefact) }
}
