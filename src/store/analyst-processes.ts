/**
 * Runs analysts' statements apart from the embedded database, which runs one statement at a time and cannot interrupt it. Each statement
 * gets a process with its own database; the process is killed if the statement exceeds a limit.
 *
 * The first statement makes a copy of the database. Later ones reuse it until the data have changed and it is a minute old. A process has
 * its own copy of the copy, since PostgreSQL writes even when it only reads. Idle processes are reused; after five minutes without a
 * statement they end, and the copy is deleted.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import { removeStaleFiles } from '../platform/engine/engine.ts'
import { runTask, TaskEnded } from '../platform/processes/run-task.ts'
import { type AnalystDatabase, type LentDatabase, StatementRefused } from './analyst-connection.ts'
import type { AnalystCopy } from './analyst-copy.ts'
import type { AnalystProcessTask } from './analyst-process.ts'
import { TooManyStatements } from './analyst-sql.ts'
import type { DataVersion } from './data-version.ts'

const PROCESSES_MAX = 4
const COPY_EVERY_MS = 60_000
const IDLE_MS = 5 * 60_000
/** Longest time from the end of a connection to that of its process: shutdown at low priority takes seconds on a busy machine. */
const END_MS = 10_000
const MEMORY = ['--max-old-space-size=128', '--max-semi-space-size=8']

const programOf = (name: string) => path.join(import.meta.dirname, name)

interface AnalystProcessesOptions {
  /** URL of the embedded database. */
  url: string
  /** The folder of its engine. */
  engineFolder: string
  /** Folder for the copies. Existing content, such as that left by a crash, is deleted. */
  folder: string
  dataVersion: Pick<DataVersion, 'current'>
  clock: Clock
  /** Called when a statement has crashed its database, or files could not be deleted. */
  onProblem(err: unknown, what: string): void
  /** Default: five minutes. */
  idleMs?: number
}

interface AnalystProcess {
  url: string
  /** Resolves with the reason why it ended. */
  ended: Promise<unknown>
  isEnded(): boolean
  /** Resolves when it has ended and its files are deleted. */
  kill(): Promise<void>
}

interface Copy {
  folder: string
  version: number
  madeAt: Temporal.Instant
  /** Idle processes, the most recently used last. */
  waiting: AnalystProcess[]
  /** Number of statements that use it. */
  used: number
}

export function analystProcesses(options: AnalystProcessesOptions): AnalystDatabase & AsyncDisposable {
  const { folder, clock, dataVersion, idleMs = IDLE_MS } = options
  const remove = (what: string) =>
    rm(what, { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) =>
      options.onProblem(err, 'a copy of the database for analysts could not be deleted'),
    )
  // A process left over from a killed service may still write.
  const leftovers = remove(folder)
  const stopped = new AbortController()
  const running = new Set<AnalystProcess>()
  let copy: Copy | undefined
  let pendingCopy: Promise<Copy> | undefined
  let lentCount = 0
  let idleTimer: NodeJS.Timeout | undefined

  async function takeCopy(): Promise<Copy> {
    while (copy === undefined || !isFresh(copy)) {
      pendingCopy ??= makeCopy().finally(() => {
        pendingCopy = undefined
      })
      await pendingCopy
    }
    copy.used += 1
    return copy
  }

  function isFresh({ version, madeAt }: Copy): boolean {
    return version >= dataVersion.current() || clock.now().since(madeAt).total('milliseconds') < COPY_EVERY_MS
  }

  async function makeCopy(): Promise<Copy> {
    await leftovers
    stopped.signal.throwIfAborted()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const next = { folder: await mkdtemp(path.join(folder, 'copy-')), madeAt: clock.now(), waiting: [], used: 0 }
    try {
      const version = await runTask<number>(
        { url: options.url, engineFolder: options.engineFolder, folder: next.folder } satisfies AnalystCopy,
        {
          program: programOf('analyst-copy-process.ts'),
          niceness: os.constants.priority.PRIORITY_NORMAL,
          execArgv: MEMORY,
          signal: stopped.signal,
        },
      )
      const before = copy
      copy = { ...next, version }
      if (before) await retire(before)
      return copy
    } catch (err) {
      await remove(next.folder)
      throw err
    }
  }

  /** Lets the statements that use the copy finish first. */
  async function retire(old: Copy): Promise<void> {
    if (copy === old) copy = undefined
    await Promise.all(old.waiting.splice(0).map((one) => one.kill()))
    if (old.used === 0) await remove(old.folder)
  }

  async function startProcess(from: Copy): Promise<AnalystProcess> {
    const ownFolder = await mkdtemp(path.join(from.folder, 'process-'))
    const killed = new AbortController()
    const started = Promise.withResolvers<string>()
    let isEnded = false
    const ended = runTask<never, string>({ copy: from.folder, folder: ownFolder } satisfies AnalystProcessTask, {
      program: programOf('analyst-process.ts'),
      niceness: os.constants.priority.PRIORITY_BELOW_NORMAL,
      execArgv: MEMORY,
      signal: AbortSignal.any([killed.signal, stopped.signal]),
      onProgress: started.resolve,
    }).catch(async (reason: unknown) => {
      isEnded = true
      running.delete(one)
      removeStaleFiles(ownFolder)
      await remove(ownFolder)
      started.reject(reason)
      return reason
    })
    const one: AnalystProcess = {
      url: '',
      ended,
      isEnded: () => isEnded,
      async kill() {
        killed.abort()
        await ended
      },
    }
    running.add(one)
    one.url = await started.promise
    return one
  }

  async function returnCopy(from: Copy, process?: AnalystProcess): Promise<void> {
    from.used -= 1
    lentCount -= 1
    if (process !== undefined && !process.isEnded()) from.waiting.push(process)
    if (from !== copy) await retire(from)
    if (lentCount > 0 || stopped.signal.aborted) return
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => void (copy && lentCount === 0 && retire(copy)), idleMs).unref()
  }

  return {
    async lend() {
      if (lentCount >= PROCESSES_MAX) throw new TooManyStatements('Too many queries are running')
      lentCount += 1
      const from = await takeCopy().catch((err: unknown) => {
        lentCount -= 1
        throw err
      })
      try {
        let process = from.waiting.pop()
        while (process?.isEnded()) process = from.waiting.pop()
        return lend(process ?? (await startProcess(from)), from)
      } catch (err) {
        await returnCopy(from)
        throw err
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idleTimer)
      stopped.abort()
      await pendingCopy?.catch(() => undefined)
      await Promise.all([...running].map((one) => one.kill()))
      await leftovers
      await remove(folder)
    },
  }

  function lend(process: AnalystProcess, from: Copy): LentDatabase {
    return {
      url: process.url,
      graceSeconds: 0,
      release: () => void returnCopy(from, process),
      async end() {
        await process.kill()
        await returnCopy(from)
      },
      /** A process that was killed within its time limit used too much memory: `watch-parent.ts` or the kernel killed it. */
      async causeOfLoss() {
        const reason = await Promise.race([process.ended, sleep(END_MS)])
        await process.kill()
        if (!(reason instanceof Error) || stopped.signal.aborted) return undefined
        if (reason instanceof TaskEnded && reason.signal === 'SIGKILL')
          return new StatementRefused('takes more than 512 MB of memory')
        options.onProblem(reason, 'a query has ended the copy of the database that it ran on')
        return new StatementRefused('ends the database that runs it, as what is nested too deeply does')
      },
    }
  }
}
