/** The process in which analysts' statements run, on its own database. It runs until it is killed. */
import { connectionStringFor } from '../platform/engine/engine.ts'
import { serveTask } from '../platform/processes/serve-task.ts'
import { startOnCopy } from './analyst-copy.ts'

export interface AnalystProcessTask {
  copy: string
  folder: string
}

/** Memory limit of the process, which uses about half of it with an idle database. */
const MEMORY_BYTES_MAX = 512 * 1024 * 1024

/** Reports the URL of its database. */
serveTask<AnalystProcessTask, never, string>(
  async ({ copy, folder }, progress) => {
    const engine = await startOnCopy(copy, folder)
    progress(connectionStringFor(engine.address))
    throw await engine.crashed
  },
  { memoryBytesMax: MEMORY_BYTES_MAX },
)
