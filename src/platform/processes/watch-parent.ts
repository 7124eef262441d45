/**
 * Thread of a task's process: kills it once its parent is gone, which a task that computes without a pause would not detect, or once it
 * exceeds its memory limit. A system limit on address space would not work: WebAssembly reserves gigabytes that it never uses.
 */
import { workerData } from 'node:worker_threads'

export interface WatchData {
  parentPid: number
  memoryBytesMax: number
}

const PARENT_MS = 1_000
const MEMORY_MS = 20

const { parentPid, memoryBytesMax } = workerData as WatchData
const endProcess = () => process.kill(process.pid, 'SIGKILL')

setInterval(() => {
  if (process.ppid !== parentPid) endProcess()
}, PARENT_MS)
if (Number.isFinite(memoryBytesMax))
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytesMax) endProcess()
  }, MEMORY_MS)
