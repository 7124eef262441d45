/** The process in which statements of analysts run, on a database of its own. It works until it is killed. */
import { connectionStringFor } from '../platform/engine/engine.ts'
import { serveTask } from '../platform/processes/serve-task.ts'
import { startOnCopy } from './analyst-copy.ts'

export interface AnalystProcessTask {
  copy: string
  folder: string
}

/** Largest memory of the process, which takes about half of it with an idle database. */
const MEMORY_BYTES_MAX = 512 * 1024 * 1024

/** Reports where the database can be reached. */
serveTask<AnalystProcessTask, never, string>(
  async ({ copy, folder }, progress) => {
    const engine = await startOnCopy(copy, folder)
    progress(connectionStringFor(engine.address))
    throw await engine.crashed
  },
  { memoryBytesMax: MEMORY_BYTES_MAX },
)
