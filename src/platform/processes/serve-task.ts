/** The other side of `runTask`: a program that runs one task, returns the result and ends. It also ends if its parent is killed. */
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { WatchData } from './watch-parent.ts'

export type TaskMessage<Result, Progress> =
  | { result: Result }
  | { progress: Progress }
  | { error: { name: string; message: string; stack: string; code?: string } }

/** Waits for the task and runs it; `progress` is reported to the parent. A process above `memoryBytesMax` is killed. */
export function serveTask<Task, Result, Progress = never>(
  run: (task: Task, progress: (progress: Progress) => void) => Promise<Result>,
  { memoryBytesMax = Number.POSITIVE_INFINITY } = {},
): void {
  const send = (message: TaskMessage<Result, Progress>) =>
    new Promise<void>((resolve, reject) => {
      process.send?.(message, (err: Error | null) => (err === null ? resolve() : reject(err)))
    })
  // The parent is gone and expects no answer. While the task computes, the thread below detects this.
  process.once('disconnect', () => process.exit(1))
  new Worker(new URL('watch-parent.ts', import.meta.url), {
    workerData: { parentPid: process.ppid, memoryBytesMax } satisfies WatchData,
    ...{ name: 'watch of the parent', execArgv: [] },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  }).unref()
  process.once('message', async (task: Task) => {
    try {
      const result = await run(task, (progress) => void send({ progress }))
      flushCompileCache() // the parent does not wait for a regular exit
      await send({ result })
    } catch (err) {
      const { name, message, stack = '' } = err instanceof Error ? err : new Error(String(err))
      const code = err instanceof Error && 'code' in err && typeof err.code === 'string' ? { code: err.code } : {}
      await send({ error: { name, message, stack, ...code } })
    }
    process.exit(0)
  })
}
