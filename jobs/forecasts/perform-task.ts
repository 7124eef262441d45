/** What the model process does with a task: days and hours go through the same pipeline. */
import { historyAt } from '../../models/history.ts'
import { HOURLY_MODELS, MODELS } from '../../models/registry.ts'
import { hourlyRecord } from './hourly-record.ts'
import { runIssueTask } from './issue-task.ts'
import { pipelineOfDays } from './pipeline-of-days.ts'
import { pipelineOfHours } from './pipeline-of-hours.ts'
import { priceRecord } from './price-record.ts'
import { runReplayTask } from './replay-task.ts'
import type { ReplayHoursTask, ReplayTask, Result, Task, TrainHoursTask, TrainTask } from './task.ts'
import { runTrainTask } from './train-task.ts'

/** A past day that a replay has finished, or the model being trained. */
export type Progress = { day: string } | { training: string }

export async function performTask<T extends Task>(
  task: T,
  progress: (progress: Progress) => void = () => {},
  models = { ofDays: MODELS, ofHours: HOURLY_MODELS },
): Promise<Extract<Result, { kind: T['kind'] }>> {
  const onTraining = (training: string) => progress({ training })
  const onDay = (day: string) => progress({ day })
  const perform = async (): Promise<Result> => {
    switch (task.kind) {
      case 'issue':
        return runIssueTask(task, models)
      case 'train': {
        const { kind, asset, artefacts } = task
        const training = await runTrainTask(daysOf(task), artefacts, onTraining)
        return { kind, asset, ...training }
      }
      case 'train-hours': {
        const { kind, zone, artefacts } = task
        const training = await runTrainTask(hoursOf(task), artefacts, onTraining)
        return { kind, zone, ...training }
      }
      case 'replay':
        return { kind: task.kind, forecasts: await runReplayTask(daysOf(task), task, onDay) }
      case 'replay-hours':
        return { kind: task.kind, forecasts: await runReplayTask(hoursOf(task, task), task, onDay) }
    }
  }
  return (await perform()) as Extract<Result, { kind: T['kind'] }>

  function daysOf({ asset, nowMs, ...prices }: TrainTask | ReplayTask) {
    const record = priceRecord(prices)
    const history = historyAt(record, Temporal.Instant.fromEpochMilliseconds(nowMs))
    return pipelineOfDays(asset, { record, history }, models.ofDays)
  }

  function hoursOf(
    { zone, hours, nowMs, ...prices }: TrainHoursTask | ReplayHoursTask,
    replay: Partial<Pick<ReplayHoursTask, 'issue' | 'inputs'>> = {},
  ) {
    const record = priceRecord(prices)
    const daily = historyAt(record, Temporal.Instant.fromEpochMilliseconds(nowMs))
    return pipelineOfHours(zone, { record, hours: hourlyRecord(hours), daily }, models.ofHours, replay)
  }
}
