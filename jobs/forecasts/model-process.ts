/**
 * The process in which models run: it is handed one task, answers it and ends. It knows no database and no configuration, so a kill
 * leaves nothing half done, and its parent's event loop and memory stay free.
 */
import { MODELS } from '../../models/registry.ts'
import { runIssueTask } from './issue-task.ts'
import { runReplayTask } from './replay-task.ts'
import type { Result, Task } from './task.ts'
import { runTrainTask } from './train-task.ts'

export type Message =
  | { result: Result }
  | { day: string }
  | { training: string }
  | { error: { name: string; message: string; stack: string } }

const send = (message: Message) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(message, (err: Error | null) => (err === null ? resolve() : reject(err)))
  })

// The parent is gone: nobody waits for an answer.
process.once('disconnect', () => process.exit(1))
process.once('message', async (task: Task) => {
  try {
    await send({ result: await run(task) })
  } catch (err) {
    const { name, message, stack = '' } = err instanceof Error ? err : new Error(String(err))
    await send({ error: { name, message, stack } })
  }
  process.exit(0)
})

function run(task: Task): Promise<Result> {
  switch (task.kind) {
    case 'issue':
      return runIssueTask(task, MODELS)
    case 'train':
      return runTrainTask(task, MODELS, (training) => void send({ training }))
    case 'replay':
      return runReplayTask(task, MODELS, (day) => void send({ day }))
  }
}
