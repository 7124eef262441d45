/** Performs a task in the model process: days and hours go through the same pipeline. */
import { historyAt } from '../../models/history.ts'
import type { ForecastModel, HourlyModel } from '../../models/model.ts'
import { HOURLY_MODELS, MODELS } from '../../models/registry.ts'
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { type ForecastSubject, HOURLY_LOOK_BACK_DAYS, zoneOf } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { hourlyRecord } from './hourly-record.ts'
import { runIssueTask } from './issue-task.ts'
import type { Pipeline } from './pipeline.ts'
import { pipelineOfDays } from './pipeline-of-days.ts'
import { pipelineOfHours } from './pipeline-of-hours.ts'
import { priceRecord } from './price-record.ts'
import { runReplayTask } from './replay-task.ts'
import { type Result, type Task, versionsFrom } from './task.ts'
import { runTrainTask } from './train-task.ts'

/** Days of past output from weather runs: models compare it with the metered output since their training. */
const OUTPUT_DAYS = 120

/** A past day that a replay has finished, or the model being trained. */
export type Progress = { day: string } | { training: string }

interface ModelLists {
  ofDays: readonly ForecastModel[]
  ofHours: readonly HourlyModel[]
}

export async function performTask<T extends Task>(
  task: T,
  progress: (progress: Progress) => void = () => {},
  models: ModelLists = { ofDays: MODELS, ofHours: HOURLY_MODELS },
): Promise<Extract<Result, { kind: T['kind'] }>> {
  const pipelineOf = pipelines(task, models)
  const perform = async (): Promise<Result> => {
    if (task.kind === 'issue') return runIssueTask(task, pipelineOf)
    const pipeline = pipelineOf(task.subject)
    if (task.kind === 'replay')
      return { kind: task.kind, forecasts: await runReplayTask(pipeline, task, (day) => progress({ day })) }
    return { kind: task.kind, ...(await runTrainTask(pipeline, task.artefacts, (training) => progress({ training }))) }
  }
  return (await perform()) as Extract<Result, { kind: T['kind'] }>
}

/** Returns the pipelines of a task's subjects, from one record. For hourly issues, the record has only as much past as models use. */
function pipelines(task: Task, models: ModelLists): (subject: ForecastSubject) => Pipeline {
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const record = priceRecord(task)
  const history = historyAt(record, now)
  const hourly = task.hours && hourlyInputRecords()
  return (subject) => {
    const zone = zoneOf(subject)
    if (zone === undefined) return pipelineOfDays(subject as ForecastAsset, { record, history }, models.ofDays)
    if (hourly === undefined) throw new Error(`a task without hours has no forecast of ${subject}`)
    return pipelineOfHours(zone, hourly, models.ofHours, task.kind === 'replay' ? task : {})
  }

  function hourlyInputRecords() {
    const { hours = { versions: {}, fundamentals: [] } } = task
    if (task.kind !== 'issue') return { record, hours: hourlyRecord(hours), daily: history }
    const today = marketDayOf(now)
    const versions = versionsFrom(task.versions, today.subtract({ days: HOURLY_LOOK_BACK_DAYS }))
    const recent = priceRecord({ ...task, versions })
    const own = hourlyRecord(hours, today.subtract({ days: OUTPUT_DAYS }))
    return { record: recent, hours: own, daily: historyAt(recent, now) }
  }
}
