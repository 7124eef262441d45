/** Entry of the worker thread: the database, and the socket through which all clients use it. Runs until it is stopped. */
import os from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { releaseMemoryAfterStart } from '../processes/release-start-memory.ts'
import { Backend } from './backend.ts'
import { type Login, openDatabase } from './database.ts'
import { query } from './messages.ts'
import { Mutex } from './mutex.ts'
import { SocketServer } from './socket-server.ts'
import { PostgresNotStarted } from './start-postgres.ts'

export interface EngineThreadData {
  /** Folder of the PostgreSQL data. */
  databaseFolder: string
  login: Login | undefined
  socketPath: string
  durable: boolean
  niceness: number | undefined
  idleInTransactionMs: number
  clientsMax: number
}

/** The thread sends `ready` once, or why the database cannot be opened; the owner sends `stop` once. */
export type EngineThreadMessage = 'ready' | { notOpened: string } | 'stop'

const CHECKPOINT_CHECK_MS = 30_000
/** There is no checkpointer process, so without this the write-ahead log, and the recovery after a kill, would grow without bound. */
const CHECKPOINT_IF_NEEDED = query(`do $$ begin
  if pg_current_wal_insert_lsn() - (pg_control_checkpoint()).redo_lsn > 64 * 1024 * 1024 then checkpoint; end if;
end $$`)

if (!parentPort) throw new Error('engine-thread.ts is the entry of a worker thread')
const owner = parentPort
// Bytes of code that a function executes before V8 optimises it. With the default, 13 million, a start spends a third of its CPU time optimising and
// takes 3.1 s; with 100 million to a billion it takes 2.4 to 2.6 s. The middle of that range loads years of sample data fastest.
setFlagsFromString('--wasm-tiering-budget=400000000')
const options = workerData as EngineThreadData

const { pglite, sessionDefaults, walSync, reportedSettings } = await openDatabase(
  options.databaseFolder,
  options.durable,
  options.login,
).catch((error: Error) => {
  if (error instanceof PostgresNotStarted) owner.postMessage({ notOpened: error.message } satisfies EngineThreadMessage)
  throw error
})
const backend = new Backend(pglite, sessionDefaults)
const turns = new Mutex()
const server = new SocketServer({ ...options, backend, walSync, turns, reportedSettings })
await server.listen(options.socketPath)
const housekeeping = setInterval(() => void checkpointIfNeeded(), CHECKPOINT_CHECK_MS)

// On Linux, priorities are per thread. Only root may lower a niceness.
if (options.niceness !== undefined) os.setPriority(Math.max(os.getPriority(), options.niceness))
owner.once('message', () => void stop())
owner.postMessage('ready' satisfies EngineThreadMessage)
releaseMemoryAfterStart()

/** If the checkpoint fails, for example for lack of space, the next check retries it. */
async function checkpointIfNeeded(): Promise<void> {
  const endTurn = await turns.acquire()
  backend.run(CHECKPOINT_IF_NEEDED)
  endTurn()
}

/** No statement is running when this is called, since all run on this thread. The lock taken last is never released. */
async function stop(): Promise<void> {
  clearInterval(housekeeping)
  await server.close()
  await turns.acquire()
  await pglite.close()
}
