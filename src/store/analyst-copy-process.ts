/** The process that copies the embedded database for analysts, so that no file passes through the process that serves requests. */
import os from 'node:os'
import { serveTask } from '../platform/processes/serve-task.ts'
import { type AnalystCopy, makeAnalystCopy } from './analyst-copy.ts'

serveTask<AnalystCopy, number>((task) =>
  makeAnalystCopy({
    ...task,
    // Normal priority while the engine waits for the copy.
    onCopied: () => os.setPriority(Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL)),
  }),
)
