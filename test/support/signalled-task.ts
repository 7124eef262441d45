/** A task that receives the signals of a group-wide stop and still returns its result. */
import { serveTask } from '../../src/platform/processes/serve-task.ts'

serveTask<object, string>(async () => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.kill(process.pid, signal)
  await new Promise((resolve) => setImmediate(resolve))
  return 'an answer'
})
