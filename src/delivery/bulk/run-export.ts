/** Writes a dataset to a file in a child process, at low priority and with little memory. */
import os from 'node:os'
import path from 'node:path'
import { runTask } from '../../platform/processes/run-task.ts'
import type { ExportedFile } from './export-dataset.ts'
import type { ExportTask } from './export-process.ts'
import type { ExportProgress } from './export-progress.ts'

const PROGRAM = path.join(import.meta.dirname, 'export-process.ts')
/** Rows that have been written are garbage at once; a small young generation gives their memory back soon. */
const MEMORY = ['--max-old-space-size=128', '--max-semi-space-size=8']

interface RunExportOptions {
  signal: AbortSignal
  /** As `os.constants.priority`; the lowest by default, since exports run at night. */
  niceness?: number
  /** Called with the process id, so that it can be monitored. */
  onStart?: (pid: number) => void
  onProgress?: (progress: ExportProgress) => void
}

/** Undefined where the dataset has no rows. */
export function runExport(task: ExportTask, options: RunExportOptions): Promise<ExportedFile | undefined> {
  const { signal, niceness = os.constants.priority.PRIORITY_LOW, onStart, onProgress } = options
  return runTask(task, {
    program: PROGRAM,
    niceness,
    execArgv: MEMORY,
    signal,
    onStart,
    onProgress,
  })
}
