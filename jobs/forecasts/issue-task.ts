/** Makes the forecasts of one issue: the active model's and the benchmark's, each as far as forecasts reach, days and hours that agree. */
import { createHash } from 'node:crypto'
import { marketDay } from '../../models/calendar.ts'
import { historyAt } from '../../models/history.ts'
import { learnQuarterShape } from '../../models/hourly/quarter-shape.ts'
import { type ForecastModel, type HourlyModel, TooLittleHistory } from '../../models/model.ts'
import { HOURLY_LOOK_BACK_DAYS } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import { artefactOf } from './artefact-bytes.ts'
import { hourlyRecord } from './hourly-record.ts'
import { filled, inputsSha256, isWhole, type MadeDay, type Pipeline, retrainAndPredict } from './pipeline.ts'
import { pipelineOfDays } from './pipeline-of-days.ts'
import { pipelineOfHours } from './pipeline-of-hours.ts'
import { priceRecord } from './price-record.ts'
import { reconcile } from './reconcile.ts'
import {
  type ArtefactBytes,
  type AssetIssue,
  type IssueResult,
  type IssueTask,
  type MadeIssue,
  type Rejection,
  versionsFrom,
  type ZoneIssue,
} from './task.ts'

/** Of past output from weather runs: models look at what has come since they were trained. */
const OUTPUT_DAYS = 120

export async function runIssueTask(
  task: IssueTask,
  models: { ofDays: readonly ForecastModel[]; ofHours: readonly HourlyModel[] },
): Promise<IssueResult> {
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const record = priceRecord(task)
  const known = { record, history: historyAt(record, now) }
  const assets: AssetIssue[] = []
  for (const { asset, ...request } of task.assets)
    assets.push({ asset, ...(await issueOf(pipelineOfDays(asset, known, models.ofDays), request)) })
  return { kind: 'issue', ...reconcileDayAndHours(assets, await zoneIssues(task, now, models.ofHours)) }
}

async function zoneIssues(task: IssueTask, now: Temporal.Instant, models: readonly HourlyModel[]) {
  if (task.hours === undefined) return []
  const [today, { versions, zones }] = [marketDayOf(now), task.hours]
  const recent = versionsFrom(task.versions, today.subtract({ days: HOURLY_LOOK_BACK_DAYS }))
  const record = priceRecord({ ...task, versions: recent })
  const hours = hourlyRecord(task.hours, today.subtract({ days: OUTPUT_DAYS }))
  const known = { record, hours, daily: historyAt(record, now) }
  const issues: ZoneIssue[] = []
  for (const { zone, ...request } of zones) {
    const made = await issueOf(pipelineOfHours(zone, known, models), request)
    const own = zone === NATIONAL_ZONE ? task.versions.PUN : (versions[zone] ?? [])
    issues.push({ zone, quarterShape: quarterShapeOf(own), ...made })
  }
  return issues
}

function quarterShapeOf(versions: readonly PriceVersion[]) {
  const newest = new Map(versions.map(({ day, intervals }) => [day, { day, intervals: intervals ?? [] }]))
  return learnQuarterShape([...newest.values()])
}

/** The PUN's days and hours where both are made: what the one knew belongs to the inputs of the other that it moves. */
function reconcileDayAndHours(assets: AssetIssue[], zones: ZoneIssue[]): Pick<IssueResult, 'assets' | 'zones'> {
  const day = assets.find(({ asset }) => asset === 'PUN')
  const hours = zones.find(({ zone }) => zone === NATIONAL_ZONE)
  if (day?.outcome !== 'made' || hours?.outcome !== 'made' || day.infoDate !== hours.infoDate) return { assets, zones }
  const { daily, hours: forecasts, hoursDecided } = reconcile(day.forecasts, hours.forecasts)
  const both = createHash('sha256').update(`${day.inputsSha256}|${hours.inputsSha256}`, 'utf8').digest('hex')
  const agreedDay = { ...day, forecasts: daily, inputsSha256: hoursDecided ? both : day.inputsSha256 }
  return {
    assets: assets.map((one) => (one === day ? agreedDay : one)),
    zones: zones.map((one) => (one === hours ? { ...hours, forecasts, inputsSha256: both } : one)),
  }
}

/** By the newest sound artefact; the days that it cannot forecast, and all without one, by a model that needs none. */
export async function issueOf<Known, Day extends MadeDay>(
  pipeline: Pipeline<Known, Day>,
  { model, artefacts }: { model?: string | undefined; artefacts: readonly ArtefactBytes[] },
): Promise<MadeIssue<Day> | Rejection> {
  const { subject, history, base, benchmark } = pipeline
  try {
    const info = pipeline.infoDay(history)
    if (info === undefined) throw new TooLittleHistory(subject, base.daysNeeded, 0)
    const naive = await retrainAndPredict(benchmark, history, { role: 'benchmark' })
    const { made, artefact, problems } = fromArtefacts(pipeline, artefacts)
    const fallback = model === benchmark.id ? benchmark : base
    const published = isWhole(made)
      ? made
      : filled(made, await retrainAndPredict(fallback, history, { role: 'published' }))
    if (!isWhole(published)) throw new TooLittleHistory(subject, base.daysNeeded, 0)
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

function fromArtefacts<Known, Day>(
  { subject, trained, history }: Pipeline<Known, Day>,
  artefacts: readonly ArtefactBytes[],
): { made: (Day | undefined)[]; artefact: ArtefactBytes | undefined; problems: string[] } {
  const problems: string[] = []
  for (const artefact of artefacts) {
    try {
      const model = trained.find(({ id }) => id === artefact.model)
      if (model === undefined) throw new RangeError(`there is no model ${artefact.model} for ${subject} any more`)
      const made = model.predict(artefactOf(artefact.content), history, { role: 'published' })
      return { made, artefact, problems }
    } catch (err) {
      // Another version's, damaged, or too little history for it: the event gives the reason.
      if (!(err instanceof RangeError || err instanceof SyntaxError || err instanceof TooLittleHistory)) throw err
      problems.push(err.message)
    }
  }
  return { made: [], artefact: undefined, problems }
}
