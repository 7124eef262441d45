/**
 * The embedded TimescaleDB: a PostgreSQL 17 server for this machine's user alone, in a thread of this process, on a private Unix
 * socket. postgres.js, pg and psql use it as they use any server. It dies with the process and recovers at the next start.
 */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { lockDataDir } from './data-dir-lock.ts'
import { readEngineRecord, removeEngineRecord, writeEngineRecord } from './engine-record.ts'
import type { EngineThreadData, EngineThreadMessage } from './engine-thread.ts'
import { prepareSocketFolder, removeSocket } from './socket-folder.ts'

export { EngineInUse } from './data-dir-lock.ts'

const IDLE_IN_TRANSACTION_MS = 60_000
const CLIENTS_MAX = 100
/** For the statement that is running, the rollback of open transactions and the last checkpoint together. */
const STOP_MS = 5_000
