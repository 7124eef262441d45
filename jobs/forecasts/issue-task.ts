/** Makes the forecasts of one issue: those of the active model and of the benchmark, at full reach, with days and hours reconciled. */
import { createHash } from 'node:crypto'
import { marketDay } from '../../models/calendar.ts'
import { learnQuarterShape } from '../../models/hourly/quarter-shape.ts'
import { TooLittleHistory } from '../../models/model.ts'
import { type ForecastSubject, hoursOf, zoneOf } from '../../src/market/forecast-scope.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import { decodeArtefact } from './artefact-bytes.ts'
import { fillMissingDays, inputsSha256, isComplete, type Pipeline, retrainAndPredict } from './pipeline.ts'
import { reconcile } from './reconcile.ts'
import {
  type ArtefactBytes,
  type IssueResult,
  type IssueTask,
  type MadeDay,
  type MadeForecast,
  type MadeHours,
  type MadeIssue,
  ownVersions,
  type Rejection,
  type SubjectIssue,
  type SubjectRequest,
} from './task.ts'

export async function runIssueTask(
  task: IssueTask,
  pipelineOf: (subject: ForecastSubject) => Pipeline,
): Promise<IssueResult> {
  const issues: SubjectIssue[] = []
  // Removed from the task, so that artefacts are freed once they have been used.
  for (let next = task.requests.shift(); next !== undefined; next = task.requests.shift()) {
    const { subject, ...request } = next
    const made = await issueOf(pipelineOf(subject), request)
    const quarterShape = zoneOf(subject) && learnedShape(ownVersions(task, subject))
    issues.push({ subject, quarterShape, ...made })
  }
  return { kind: 'issue', issues: reconcileDayAndHours(issues) }
}

function learnedShape(versions: readonly PriceVersion[]) {
  const newest = new Map(versions.map(({ day, intervals }) => [day, { day, intervals: intervals ?? [] }]))
  return learnQuarterShape([...newest.values()])
}

/** Reconciles the PUN's days and hours if both were made. If one moves the other, its inputs count among the other's inputs. */
function reconcileDayAndHours(issues: SubjectIssue[]): SubjectIssue[] {
  const [day, hours] = ['PUN', hoursOf(NATIONAL_ZONE)].map((one) => issues.find(({ subject }) => subject === one))
  if (day?.outcome !== 'made' || hours?.outcome !== 'made' || day.infoDate !== hours.infoDate) return issues
  const reconciled = reconcile(day.forecasts as MadeForecast[], hours.forecasts as MadeHours[])
  const both = createHash('sha256').update(`${day.inputsSha256}|${hours.inputsSha256}`, 'utf8').digest('hex')
  return issues.map((one) => {
    if (one === hours) return { ...hours, forecasts: reconciled.hours, inputsSha256: both }
    if (one !== day) return one
    return { ...day, forecasts: reconciled.daily, inputsSha256: reconciled.hoursDecided ? both : day.inputsSha256 }
  })
}

/** Forecasts with the newest sound artefact; the days that it cannot forecast, or all without one, come from a model that needs none. */
export async function issueOf(
  pipeline: Pipeline,
  { model, artefacts }: Omit<SubjectRequest, 'subject'>,
): Promise<MadeIssue | Rejection> {
  const { subject, history, base, benchmark } = pipeline
  try {
    const info = pipeline.infoDay(history)
    if (info === undefined) throw new TooLittleHistory(subject, base.daysNeeded, 0)
    const naive = await retrainAndPredict(benchmark, history, { role: 'benchmark' })
    const { made, artefact, problems } = predictFromArtefacts(pipeline, artefacts)
    const fallback = model === benchmark.id ? benchmark : base
    const published = isComplete(made)
      ? made
      : fillMissingDays(made, await retrainAndPredict(fallback, history, { role: 'published' }))
    if (!isComplete(published)) throw new TooLittleHistory(subject, base.daysNeeded, pipeline.daysKnown(history))
    return {
      outcome: 'made',
      infoDate: marketDay(info).toString(),
      inputsSha256: inputsSha256(pipeline.inputs(history), artefact),
      forecasts: [...published, ...naive.filter((day) => day !== undefined)],
      artefactProblems: problems,
    }
  } catch (err) {
    if (err instanceof TooLittleHistory) return { outcome: 'rejected', reason: err.message }
    throw err
  }
}

function predictFromArtefacts(
  { subject, trained, history }: Pipeline,
  artefacts: readonly ArtefactBytes[],
): { made: (MadeDay | undefined)[]; artefact: ArtefactBytes | undefined; problems: string[] } {
  const problems: string[] = []
  for (const artefact of artefacts) {
    try {
      const model = trained.find(({ id }) => id === artefact.model)
      if (model === undefined) throw new RangeError(`there is no model ${artefact.model} for ${subject} any more`)
      const made = model.predict(decodeArtefact(artefact.content), history, { role: 'published' })
      return { made, artefact, problems }
    } catch (err) {
      // The artefact is of another version, damaged, or lacks history: the event gives the reason.
      if (!(err instanceof RangeError || err instanceof SyntaxError || err instanceof TooLittleHistory)) throw err
      problems.push(err.message)
    }
  }
  return { made: [], artefact: undefined, problems }
}
