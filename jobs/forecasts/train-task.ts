/**
 * Trains the models of a subject and selects the active one. Each is tested on the last 60 scored days, every day with an artefact trained before
 * it: one of earlier weeks or, the first time, one trained before the first issue. The month before the test and the test are the model's replay.
 */
import { dayNumber } from '../../models/calendar.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import { type Artefact, type ForecastSubject, TooLittleHistory, TrainingDiverged } from '../../models/model.ts'
import { encodeArtefact } from './artefact-bytes.ts'
import type { PastIssue, PastIssues } from './past-issues.ts'
import { type Forecaster, type Known, type Pipeline, retrainAndPredict, usableArtefacts } from './pipeline.ts'
import {
  type ArtefactBytes,
  type MadeDay,
  REPLAY_DAYS,
  SPARE_DAYS,
  TEST_DAYS,
  type TestErrors,
  type TrainedModel,
  type Training,
} from './task.ts'

type State = Artefact<ForecastSubject>

/** Calls `onTraining` at the start of each training. Empties `artefacts`. */
export async function runTrainTask(
  pipeline: Pipeline,
  artefacts: ArtefactBytes[],
  onTraining: (model: string) => void,
): Promise<Training> {
  const failed: Training['failed'] = []
  const missing: number[] = []
  const attempt: Attempt = async (model, work) => {
    try {
      await work((known, previous) => {
        onTraining(model.id)
        return model.train(known, previous)
      })
    } catch (err) {
      failed.push(failureOf(model, err))
      if (err instanceof TooLittleHistory && err.daysKnown < err.daysNeeded)
        missing.push(err.daysNeeded - err.daysKnown)
    }
  }
  const { base, benchmark, history } = pipeline
  // The test's histories are freed before the last trainings, which need the most memory.
  const { replays, trained, newest } = await testModels(pipeline, artefacts, attempt)
  for (const [model, state] of newest)
    await attempt(model, async (train) => trained.push(describe(await train(history, state))))
  const errors = Object.fromEntries([...replays].map(([id, made]) => [id, testErrors(made.slice(-TEST_DAYS))]))
  const untested = TEST_DAYS - (errors[benchmark.id]?.n ?? 0)
  if (untested > 0) missing.push(untested)
  // A model whose training failed after its test continues with its last good artefact.
  const trainable = [...newest.keys()].map(({ id }) => id)
  const { activeModel, reason } = selectModel(base.id, benchmark.id, [base.id, ...trainable], errors)
  const naive = replays.get(benchmark.id) ?? []
  const published = (replays.get(activeModel) ?? []).map((made) => ({ ...made, role: 'published' as const }))
  const missingDays = missing.length === 0 ? undefined : Math.min(...missing)
  return { activeModel, reason, errors, trained, failed, missingDays, replay: [...published, ...naive] }
}

type Train = (known: Known, previous?: State) => Promise<State>
/** Runs the work; if the model cannot be trained, the failure is recorded and the work abandoned. */
type Attempt = (model: Forecaster, work: (train: Train) => Promise<unknown>) => Promise<void>

/** Returns the models' forecasts of past days, and the newest state of each model that could be tested. */
async function testModels(pipeline: Pipeline, artefacts: ArtefactBytes[], attempt: Attempt) {
  const { trained: candidates, base, benchmark } = pipeline
  const stored = new Map(candidates.map((model) => [model, usableArtefacts(artefacts, model)]))
  artefacts.length = 0 // each keeps the message of the task in memory
  const issues = pipeline.testIssues().slice(-(REPLAY_DAYS + SPARE_DAYS))
  const replays = new Map([[base.id, await testRetrained('published', base, issues)]])
  replays.set(benchmark.id, await testRetrained('benchmark', benchmark, issues))
  const trained: TrainedModel[] = []
  const newest = new Map<Forecaster, State | undefined>()
  for (const [model, own] of stored) {
    await attempt(model, async (train) => {
      const known = await artefactsBeforeTest(pipeline, model, { issues, stored: own, train })
      // Saved too: the trainings of the coming weeks need one trained before their test days.
      trained.push(...known.slice(own.length).map(describe))
      replays.set(model.id, replayOf(model, issues, known))
      newest.set(model, known[0])
    })
  }
  return { replays, trained, newest }
}

/** Expected failures are reported; anything else is an internal error and thrown. */
function failureOf({ id }: { id: string }, err: unknown): Training['failed'][number] {
  if (err instanceof TrainingDiverged) return { model: id, outcome: 'diverged', reason: err.message }
  if (err instanceof TooLittleHistory) return { model: id, outcome: 'too_little_history', reason: err.message }
  throw err
}

async function testRetrained(role: MadeDay['role'], model: Forecaster, issues: PastIssues<Known>): Promise<MadeDay[]> {
  const made: MadeDay[] = []
  for (const { history } of issues) {
    try {
      made.push(...scorableDays(await retrainAndPredict(model, history, { role, nextOnly: true })))
    } catch (err) {
      if (!(err instanceof TooLittleHistory)) throw err // the earliest days have no replay
    }
  }
  return made.slice(-REPLAY_DAYS)
}

interface TestContext {
  issues: PastIssues<Known>
  /** Newest first. */
  stored: readonly State[]
  train: Train
}

/** Returns the artefacts, newest first, at least one of them older than the first test day. */
async function artefactsBeforeTest(
  { subject, history, historyAt, daysKnown }: Pipeline,
  { daysNeeded }: Forecaster,
  { issues, stored, train }: TestContext,
): Promise<State[]> {
  const [[first], [firstTest]] = [issues, issues.slice(-(TEST_DAYS + SPARE_DAYS))]
  if (first === undefined || firstTest === undefined)
    throw new TooLittleHistory(subject, daysNeeded + TEST_DAYS, daysKnown(history))
  if (stored.some((artefact) => trainedBefore(artefact, firstTest))) return [...stored]
  const trained = await train(historyAt(first.history.knownAt)).catch((err) => {
    if (err instanceof TooLittleHistory) return train(historyAt(firstTest.history.knownAt))
    throw err
  })
  return [...stored, trained]
}

/** Forecasts each day with the newest artefact trained before it; days without one are left out. */
function replayOf(model: Forecaster, issues: PastIssues<Known>, known: readonly State[]): MadeDay[] {
  const made: MadeDay[] = []
  for (const issue of issues) {
    const artefact = known.find((one) => trainedBefore(one, issue))
    if (artefact === undefined) continue // before the test
    made.push(...scorableDays(model.predict(artefact, issue.history, { role: 'published', nextOnly: true })))
  }
  return made.slice(-REPLAY_DAYS)
}

function trainedBefore({ span }: State, { info }: PastIssue<unknown>): boolean {
  return dayNumber(Temporal.PlainDate.from(span.to)) <= info
}

/** Returns the forecast of the next market day, if its price is known. */
function scorableDays([next]: readonly (MadeDay | undefined)[]): MadeDay[] {
  return next?.actual === undefined ? [] : [next]
}

function describe(artefact: State): TrainedModel {
  const { model, version, span, backend, metrics } = artefact
  return { model, version, dataFrom: span.from, dataTo: span.to, backend, metrics, content: encodeArtefact(artefact) }
}

/** Returns the errors of days whose prices are known; `n` counts the days. */
function testErrors(days: readonly MadeDay[]): TestErrors {
  const values = days.flatMap(({ p10, p50, p90, actual = [] }): Scored[] => {
    const [low, median, high] = [p10, p50, p90].map((quantile) => [quantile].flat())
    return [actual].flat().map((price, i) => {
      return { p10: low?.[i] as number, p50: median?.[i] as number, p90: high?.[i] as number, actual: price }
    })
  })
  return { n: days.length, mae: mae(values), pinball: pinball(values), coverage80: coverage(values) }
}

/**
 * Selects the candidate with the smallest pinball loss among those that beat the benchmark: median error no worse, pinball loss better.
 * Without one, selects the benchmark; until 60 days can be scored, the base model.
 */
function selectModel(
  base: string,
  benchmark: string,
  candidates: readonly string[],
  errors: Readonly<Record<string, TestErrors>>,
): { activeModel: string; reason: string } {
  const benchmarkErrors = errors[benchmark]
  if (benchmarkErrors === undefined || benchmarkErrors.n < TEST_DAYS)
    return { activeModel: base, reason: `the test needs ${TEST_DAYS} scored days and had ${benchmarkErrors?.n ?? 0}` }
  const [best] = candidates
    .map((model) => ({ model, own: errors[model] as TestErrors }))
    .filter(({ own }) => own.n >= TEST_DAYS && own.mae <= benchmarkErrors.mae && own.pinball < benchmarkErrors.pinball)
    .sort((a, b) => a.own.pinball - b.own.pinball)
  const days = `over the last ${TEST_DAYS} scored days`
  if (best === undefined) return { activeModel: benchmark, reason: `no model beat ${benchmark} ${days}` }
  return { activeModel: best.model, reason: `the smallest errors of those that beat ${benchmark} ${days}` }
}
