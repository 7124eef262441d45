/** Runs a model task in a separate process, at low priority, and returns its result. */
import os from 'node:os'
import path from 'node:path'
import { runTask } from '../../src/platform/processes/run-task.ts'
import type { Progress } from './perform-task.ts'
import type { Result, Task } from './task.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority
const PROGRAM = path.join(import.meta.dirname, 'model-process.ts')

/** Training creates gigabytes of garbage; collecting it earlier and in smaller portions keeps the process smaller. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=15', '--no-memory-pool']

/** With glibc, memory that a training frees is returned to the system at once: its arrays take megabytes. */
const FREED_AT_ONCE = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

interface RunOptions {
  /** Ends the process at once. */
  signal: AbortSignal
  /** Called with each past day that a replay has finished. */
  onDay?: (day: string) => void
  /** Called with the model of each training that begins. */
  onTraining?: (model: string) => void
  /** Called with the process's id, for monitoring. */
  onStart?: (pid: number) => void
}

/** Throws the process's error, or another one if the process ended without a result. */
export function runModels<T extends Task>(
  task: T,
  { signal, onDay, onTraining, onStart }: RunOptions,
): Promise<Extract<Result, { kind: T['kind'] }>> {
  return runTask<Extract<Result, { kind: T['kind'] }>, Progress>(task, {
    program: PROGRAM,
    niceness: task.kind === 'issue' ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW, // an issue is urgent
    execArgv: SMALL_HEAP,
    env: task.kind === 'issue' ? {} : FREED_AT_ONCE,
    signal,
    onProgress: (progress) => {
      if ('day' in progress) onDay?.(progress.day)
      else onTraining?.(progress.training)
    },
    onStart,
  })
}
