/**
 * The process in which models run: it receives one task, returns the result and ends. It reads no database and no configuration, so a
 * kill leaves nothing half done, and its parent's event loop and memory stay free.
 */
import { serveTask } from '../../src/platform/processes/serve-task.ts'
import { type Progress, performTask } from './perform-task.ts'
import type { Result, Task } from './task.ts'

serveTask<Task, Result, Progress>(performTask)
