/** Runs a task of the models in a process of its own, at low priority, and gives its answer. */
import os from 'node:os'
import path from 'node:path'
import { runTask } from '../../src/platform/processes/run-task.ts'
import type { Progress } from './model-process.ts'
import type { IssueResult, IssueTask, ReplayResult, ReplayTask, Result, Task, TrainResult, TrainTask } from './task.ts'

const PROGRAM = path.join(import.meta.dirname, 'model-process.ts')

/** An issue is waited for; the others can wait. */
const NICENESS: Record<Task['kind'], number> = {
  issue: os.constants.priority.PRIORITY_BELOW_NORMAL,
  train: os.constants.priority.PRIORITY_LOW,
  replay: os.constants.priority.PRIORITY_LOW,
}

/** Training makes garbage by the gigabyte; collecting it in smaller portions keeps the process a quarter smaller. */
const YOUNG_SPACE = ['--max-semi-space-size=4']

export interface RunOptions {
  /** Ends the process, at once. */
  signal: AbortSignal
  /** Told each past day that a replay has done. */
  onDay?: (day: string) => void
  /** Told the model of each training that begins. */
  onTraining?: (model: string) => void
  /** Told the process's id, so that it can be watched. */
  onStart?: (pid: number) => void
}

export function runModels(task: IssueTask, options: RunOptions): Promise<IssueResult>
export function runModels(task: TrainTask, options: RunOptions): Promise<TrainResult>
export function runModels(task: ReplayTask, options: RunOptions): Promise<ReplayResult>
/** Throws what went wrong there, and where the process ended before it answered. */
export function runModels(task: Task, { signal, onDay, onTraining, onStart }: RunOptions): Promise<Result> {
  return runTask<Result, Progress>(task, {
    program: PROGRAM,
    niceness: NICENESS[task.kind],
    execArgv: YOUNG_SPACE,
    signal,
    onProgress: (progress) => {
      if ('day' in progress) onDay?.(progress.day)
      else onTraining?.(progress.training)
    },
    onStart,
  })
}
