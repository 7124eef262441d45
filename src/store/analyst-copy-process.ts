/** The process that makes a copy of the embedded database for analysts: no file of it passes through the process that serves requests. */
import os from 'node:os'
import { serveTask } from '../platform/processes/serve-task.ts'
import { type AnalystCopy, makeAnalystCopy } from './analyst-copy.ts'

serveTask<AnalystCopy, number>((task) =>
  // While the engine waits for the copy, it is at normal priority.
  makeAnalystCopy({ ...task, onCopied: () => os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL) }),
)
