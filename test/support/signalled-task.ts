/** A task that is sent what a stop of its whole process group sends, and answers all the same. */
import { serveTask } from '../../src/platform/processes/serve-task.ts'

serveTask<object, string>(async () => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.kill(process.pid, signal)
  await new Promise((resolve) => setImmediate(resolve))
  return 'an answer'
})
