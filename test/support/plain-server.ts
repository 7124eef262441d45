/** A dedicated server for tests that log in as roles or need several sessions: with TimescaleDB, or with the schema of plain-schema.ts. */
import { expect } from 'vitest'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migratePlain } from './plain-schema.ts'
import {
  hasPostgres,
  hasTimescalePackage,
  needsPostgres,
  type Server,
  type ServerFolder,
  serverFolder,
  startNewServer,
} from './postgres-cluster.ts'

export interface PlainServer extends AsyncDisposable {
  home: ServerFolder
  server: Server
  /** As the superuser. */
  database: Database
  url: Server['url']
  superuserUrl: string
}

export function startPlainServer({ poolSize }: { poolSize: number }): Promise<PlainServer> {
  return startMigrated(poolSize, {}, migratePlain)
}

/** Settings as passed with `postgres -c`. */
export const TIMESCALE_SETTINGS = {
  shared_preload_libraries: 'timescaledb',
  'timescaledb.telemetry_level': 'off',
  max_locks_per_transaction: '256',
}

export function startTimescaleServer({ poolSize }: { poolSize: number }): Promise<PlainServer> {
  return startMigrated(poolSize, TIMESCALE_SETTINGS, (database) => migrate(database))
}

/** The servers that a suite runs on, and whether this machine has them. */
export const SERVERS = [
  { kind: needsPostgres('PostgreSQL'), start: startPlainServer, isHere: hasPostgres },
  {
    kind: 'TimescaleDB (needs its package for the newest PostgreSQL)',
    start: startTimescaleServer,
    isHere: hasPostgres && hasTimescalePackage,
  },
]

async function startMigrated(
  poolSize: number,
  settings: Record<string, string>,
  migrateIt: (database: Database) => Promise<unknown>,
): Promise<PlainServer> {
  await using opening = new AsyncDisposableStack()
  const home = opening.use(await serverFolder())
  const server = opening.use(await startNewServer(home, { settings }))
  const database = opening.use(connectDatabase({ url: server.superuserUrl, poolSize }))
  await migrateIt(database)
  const opened = opening.move()
  return {
    home,
    server,
    database,
    url: server.url,
    superuserUrl: server.superuserUrl,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until a session is blocked by another session's lock. */
export async function untilBlockedByLock({ sql }: Database): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await sql`
          select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock'`
      return row?.waiting
    })
    .toBe(1)
}
