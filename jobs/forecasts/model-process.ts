/**
 * The process in which models run: it receives one task, returns the result and ends. It knows no database and no configuration, so a
 * kill leaves nothing half done, and its parent's event loop and memory stay free.
 */
import { HOURLY_MODELS } from '../../models/hourly/registry.ts'
import { MODELS } from '../../models/registry.ts'
import { serveTask } from '../../src/platform/processes/serve-task.ts'
import { runIssueTask } from './issue-task.ts'
import { runReplayHoursTask } from './replay-hours-task.ts'
import { runReplayTask } from './replay-task.ts'
import type { Result, Task } from './task.ts'
import { runTrainHoursTask } from './train-hours-task.ts'
import { runTrainTask } from './train-task.ts'

/** Its progress messages: a past day that a replay has finished, or the model being trained. */
export type Progress = { day: string } | { training: string }

serveTask<Task, Result, Progress>(run)

function run(task: Task, progress: (progress: Progress) => void): Promise<Result> {
  switch (task.kind) {
    case 'issue':
      return runIssueTask(task, MODELS, HOURLY_MODELS)
    case 'train':
      return runTrainTask(task, MODELS, (training) => progress({ training }))
    case 'train-hours':
      return runTrainHoursTask(task, HOURLY_MODELS, (training) => progress({ training }))
    case 'replay':
      return runReplayTask(task, MODELS, (day) => progress({ day }))
    case 'replay-hours':
      return runReplayHoursTask(task, HOURLY_MODELS, (day) => progress({ day }))
  }
}
