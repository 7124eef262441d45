/** Runs a task in a process of its own, at low priority, and gives its answer. */
import { fork } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import type { Message } from './model-process.ts'
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
export async function runModels(task: Task, { signal, onDay, onTraining, onStart }: RunOptions): Promise<Result> {
  signal.throwIfAborted()
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: YOUNG_SPACE,
  })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, killedBy) =>
        reject(
          signal.aborted ? signal.reason : new Error(`the model process ended (${killedBy ?? code}) without an answer`),
        ),
      )
      child.on('message', (message: Message) => {
        if ('day' in message) onDay?.(message.day)
        else if ('training' in message) onTraining?.(message.training)
        else if ('result' in message) resolve(message.result)
        else reject(failureOf(message.error))
      })
      child.once('spawn', () => {
        if (child.pid !== undefined) {
          os.setPriority(child.pid, NICENESS[task.kind])
          onStart?.(child.pid)
        }
        child.send(task, (err) => {
          if (err !== null) reject(err)
        })
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

function failureOf({ name, message, stack }: { name: string; message: string; stack: string }): Error {
  return Object.assign(new Error(message), { name, stack })
}
