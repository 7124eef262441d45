/** Runs a task in a child process at low priority and returns its result: heavy work stays off the event loop that serves requests. */
import { fork } from 'node:child_process'
import os from 'node:os'
import type { TaskMessage } from './serve-task.ts'

const PRELOADED_MODULES = ['leave-stop-to-parent.ts', 'compile-cache.ts'].map(
  (name) => new URL(name, import.meta.url).href,
)

interface TaskOptions<Progress> {
  /** Path of a program that calls `serveTask`. */
  program: string
  /** As `os.constants.priority`; a nicer parent's own is kept, since only root may lower it. */
  niceness: number
  /** Kills the process at once. */
  signal: AbortSignal
  /** Node options, such as a memory limit. */
  execArgv?: string[]
  /** Environment variables in addition to those of this process. */
  env?: NodeJS.ProcessEnv
  /** Called with its progress messages. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** Called with the process id, so that it can be monitored. */
  onStart?: ((pid: number) => void) | undefined
}

/** The process ended without a result. */
export class TaskEnded extends Error {
  override name = 'TaskEnded'
  readonly signal: NodeJS.Signals | null
  constructor(program: string, code: number | null, signal: NodeJS.Signals | null) {
    super(`${program} ended (${signal ?? code}) without an answer`)
    this.signal = signal
  }
}

/** Returns the result; throws the error of the task, or TaskEnded. */
export async function runTask<Result, Progress = never>(task: object, options: TaskOptions<Progress>): Promise<Result> {
  const { program, niceness, signal, execArgv = [], env, onProgress, onStart } = options
  signal.throwIfAborted()
  const child = fork(program, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...execArgv, ...PRELOADED_MODULES.flatMap((url) => ['--import', url])],
    env: { ...process.env, ...env },
  })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, killedBy) =>
        reject(signal.aborted ? signal.reason : new TaskEnded(program, code, killedBy)),
      )
      child.on('message', (message: TaskMessage<Result, Progress>) => {
        if ('progress' in message) onProgress?.(message.progress)
        else if ('result' in message) resolve(message.result)
        else reject(failureOf(message.error))
      })
      child.once('spawn', () => {
        if (child.pid !== undefined) {
          os.setPriority(child.pid, Math.max(os.getPriority(), niceness))
          onStart?.(child.pid)
        }
        // If the task cannot be sent, the process has ended: its exit settles the promise.
        child.send(task, (err) => {
          if (err !== null) stop()
        })
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

function failureOf({
  name,
  message,
  stack,
  code,
}: {
  name: string
  message: string
  stack: string
  code?: string
}): Error {
  return Object.assign(new Error(message), { name, stack, ...(code && { code }) })
}
