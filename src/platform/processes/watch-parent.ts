/** Thread of a task's process: ends it once its parent is gone, which a task that computes without a pause would not notice. */
import { workerData } from 'node:worker_threads'

const INTERVAL_MS = 1000

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
