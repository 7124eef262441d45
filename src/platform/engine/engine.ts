/**
 * The embedded TimescaleDB: a PostgreSQL 17 server for this user only, in a thread of this process, on a private Unix socket.
 * postgres.js, pg and psql use it like any server. It dies with the process and recovers at the next start.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CreateDatabaseData } from './create-database-thread.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { databaseOpenError, prepareDataFolder, UnusableDataFolder } from './data-folder.ts'
import type { Login } from './database.ts'
import { type EngineAddress, type EnginePurpose, prepareSocketFolder, removeSocket } from './engine-address.ts'
import { readEngineRecord, removeEngineRecord, writeEngineRecord } from './engine-record.ts'
import type { EngineThreadData, EngineThreadMessage } from './engine-thread.ts'
import { THREAD_STACK_MB } from './wasm-stack.ts'

export { EngineInUse } from './data-dir-lock.ts'
export { UnusableDataFolder } from './data-folder.ts'
export { connectionStringFor, type EngineAddress, type EnginePurpose } from './engine-address.ts'

const IDLE_IN_TRANSACTION_MS = 60_000
const CLIENTS_MAX = 100
/** Timeout for the running statement, the rollback of open transactions and the last checkpoint together. */
const STOP_MS = 5_000

export interface EngineOptions {
  /** Created if missing, for this user only. */
  dataDir: string
  /** Called if the folder has no database yet; returns an archive of one to start from. Default: an empty one is created. */
  template?: () => string | undefined
  /** Reported to a process that finds the engine running. Default `service`. */
  purpose?: EnginePurpose
  /** The role of all clients. Default: the superuser. */
  login?: Login
  /** Whether a commit is on disk before it is acknowledged. If false, power loss may destroy the database. Default true. */
  durable?: boolean
  /** Priority of the database once it is open, as `os.constants.priority`. Default: that of the process. */
  niceness?: number
  /** A client that is idle inside a transaction for longer is rolled back and disconnected. Default 60,000. */
  idleInTransactionMs?: number
  /** Default 100. */
  clientsMax?: number
}

export interface Engine extends AsyncDisposable {
  readonly address: EngineAddress
  /** Resolves if the thread dies unexpectedly. Nothing committed is lost; the process should end and be started again. */
  readonly crashed: Promise<Error>
  /** Rolls back open transactions, disconnects all clients and writes a checkpoint. Ends after 5 seconds regardless; no data is lost. */
  stop(): Promise<void>
}

/** Throws EngineInUse if a process, this one included, runs an engine on the folder. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  if (process.platform === 'win32') {
    throw new Error('The embedded database does not run on Windows. Set DATABASE_URL to a TimescaleDB server.')
  }
  const dataDir = resolve(options.dataDir)
  prepareDataFolder(dataDir)
  const unlock = lockDataDir(dataDir)
  removeStaleFiles(dataDir)
  const socketPath = prepareSocketFolder(dataDir)
  try {
    const databaseFolder = join(dataDir, 'pgdata')
    const durable = options.durable ?? true
    if (!existsSync(databaseFolder)) {
      const data: CreateDatabaseData = { databaseFolder, durable, template: options.template?.() }
      await once(startThread('create-database-thread.ts', data), 'exit').catch((error: Error) => {
        throw new UnusableDataFolder(`The database cannot be made in ${dataDir}: ${error.message}`)
      })
    }
    const thread = startThread('engine-thread.ts', {
      databaseFolder,
      socketPath,
      login: options.login,
      durable,
      niceness: options.niceness,
      idleInTransactionMs: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
      clientsMax: options.clientsMax ?? CLIENTS_MAX,
    } satisfies EngineThreadData)
    await waitUntilReady(thread, databaseFolder)
    const address: EngineAddress = { socketPath, pid: process.pid, purpose: options.purpose ?? 'service' }
    writeEngineRecord(dataDir, { ...address, startedAt: new Date().toISOString() })
    return runningEngine(thread, address, () => {
      removeStaleFiles(dataDir)
      unlock()
    })
  } catch (error) {
    removeSocket(socketPath)
    unlock()
    throw error
  }
}

/**
 * Returns the engine that a live process runs on the folder, if any; for commands that join a running service. An engine that is
 * still starting is not found.
 */
export async function findRunningEngine(dataDir: string): Promise<EngineAddress | undefined> {
  const record = readEngineRecord(resolve(dataDir))
  if (!record || !(await isListening(record.socketPath))) return undefined
  return { socketPath: record.socketPath, pid: record.pid, purpose: record.purpose }
}

function startThread(file: string, workerData: unknown): Worker {
  const resourceLimits = { stackSizeMb: THREAD_STACK_MB }
  return new Worker(new URL(file, import.meta.url), { workerData, resourceLimits, name: 'embedded TimescaleDB' })
}

/** Rejects with the reason if the thread ends instead. */
async function waitUntilReady(thread: Worker, databaseFolder: string): Promise<void> {
  let failure: Error | undefined
  thread.on('error', (error: Error) => {
    failure = error
  })
  // An error can overtake the message that explains it; the exit cannot, since it waits for all messages.
  const startResult = await new Promise<EngineThreadMessage | undefined>((resolve) => {
    thread.once('message', resolve)
    thread.once('exit', () => resolve(undefined))
  })
  if (startResult === undefined) throw failure ?? new Error('The thread of the embedded database ended while starting')
  if (typeof startResult === 'string') return
  await thread.terminate()
  throw databaseOpenError(databaseFolder, startResult.notOpened)
}

function runningEngine(thread: Worker, address: EngineAddress, onEnd: () => void): Engine {
  let stopping: Promise<void> | undefined
  let failure: Error | undefined
  thread.on('error', (error: Error) => {
    failure = error
  })
  // `once` of node:events would reject on the `error` that precedes the exit.
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve())).then(onEnd)

  async function end(): Promise<void> {
    const failedBefore = failure
    thread.postMessage('stop' satisfies EngineThreadMessage)
    const killTimer = setTimeout(() => void thread.terminate(), STOP_MS)
    await ended
    clearTimeout(killTimer)
    if (failure !== failedBefore) throw failure
  }

  function stop(): Promise<void> {
    stopping ??= end()
    return stopping
  }

  const crashed = new Promise<Error>((report) => {
    void ended.then(() => {
      if (!stopping) report(failure ?? new Error('The thread of the embedded database ended unexpectedly'))
    })
  })
  return { address, crashed, stop, [Symbol.asyncDispose]: stop }
}

/** Removes the socket and the record that a killed or stopped engine leaves. Call it only with the lock, or once the engine's process has ended. */
export function removeStaleFiles(dataDir: string): void {
  const record = readEngineRecord(dataDir)
  if (record) removeSocket(record.socketPath)
  removeEngineRecord(dataDir)
}

/** Without a listener the connection is refused; the kernel's backlog of a busy engine accepts it at once. */
function isListening(socketPath: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(socketPath)
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
    socket.once('connect', () => socket.destroy())
  })
}
