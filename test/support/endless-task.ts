/** Run directly: starts itself as an endless task and prints the task's process id. Started by `runTask`: that task. */
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { runTask } from '../../src/platform/processes/run-task.ts'
import { serveTask } from '../../src/platform/processes/serve-task.ts'

if (process.send === undefined) {
  await runTask(
    {},
    {
      program: fileURLToPath(import.meta.url),
      niceness: os.constants.priority.PRIORITY_NORMAL,
      signal: new AbortController().signal,
      onProgress: (pid: number) => console.log(pid),
    },
  )
} else {
  serveTask<object, never, number>(async (_task, progress) => {
    progress(process.pid)
    await new Promise((resolve) => setImmediate(resolve)) // so that the message is sent
    for (;;);
  })
}
