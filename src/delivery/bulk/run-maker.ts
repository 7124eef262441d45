/** Makes the files of a request in a child process, at low priority and with little memory. */
import os from 'node:os'
import path from 'node:path'
import { runTask } from '../../platform/processes/run-task.ts'
import type { ExportProgress } from './make-files.ts'
import type { MakerTask } from './maker-process.ts'
import type { MadeFile } from './write-file.ts'

const PROGRAM = path.join(import.meta.dirname, 'maker-process.ts')
/** Written rows become garbage immediately; a small young generation frees their memory early. */
const memory = (megabytes: number) => [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=8']

export interface MakerOptions {
  signal: AbortSignal
  /** As `os.constants.priority`; the lowest by default, since most files are made at night. */
  niceness?: number | undefined
  /** Called with the process id, so that it can be monitored. */
  onStart?: ((pid: number) => void) | undefined
  onProgress?: ((progress: ExportProgress) => void) | undefined
}

/** Returns no files if there are no rows. */
export function runMaker<Made extends MadeFile = MadeFile>(
  task: MakerTask,
  { signal, niceness = os.constants.priority.PRIORITY_LOW, onStart, onProgress }: MakerOptions,
): Promise<Made[]> {
  const execArgv = memory(task.division === undefined ? 128 : 192)
  return runTask(task, { program: PROGRAM, niceness, execArgv, signal, onStart, onProgress })
}
