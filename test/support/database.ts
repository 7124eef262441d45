/**
 * A separate migrated database for a test file: the prepared one unpacked, with an embedded engine on it, or, if DATABASE_URL is
 * set, a copy of the prepared database on that server.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { connectionStringFor, findRunningEngine, startEngine } from '../../src/platform/engine/engine.ts'
import { unpackDatabase } from '../../src/platform/engine/packed-database.ts'
import { SECRETS_KEY_BYTES } from '../../src/platform/secret.ts'
import { connectDatabase, type Database, type Sql } from '../../src/store/database.ts'
import { applyRoles } from '../../src/store/roles.ts'
import './compiled-engine.ts'
import { createDatabase, type DatabaseServer } from './server-databases.ts'
import { applyRolesOnServer } from './server-roles.ts'

const server = inject('databaseServer')

export const isEmbedded = server === undefined
export const hasTimescale = server?.hasTimescale ?? true
/** Before this version, view definitions print every column with its table. */
const SAME_VIEW_FORMAT_SINCE = 16
export const hasEmbeddedViewFormat = server === undefined || server.majorVersion >= SAME_VIEW_FORMAT_SINCE

/** Titles that say why a test may be skipped. */
export const needsNewViewFormat = (title: string) =>
  `${title} (needs PostgreSQL ${SAME_VIEW_FORMAT_SINCE}, which prints definitions as the dump has them)`
export const needsTimescale = (title: string) => `${title} (needs TimescaleDB)`
export const needsEmbedded = (title: string) => `${title} (is about the embedded database)`

export interface TestDatabase extends AsyncDisposable {
  database: Database
  url: string
  stop(): Promise<void>
}

/** A database for processes of the product. */
export interface ProductDatabase {
  /** A separate folder, which holds the embedded engine if there is one. */
  dataDir: string
  /** Environment that makes a process use it. */
  env: Record<string, string>
  /** Connects to it. Joins an embedded engine that a process already runs; otherwise starts one, until `stop`. */
  open(poolSize?: number): Promise<TestDatabase>
  remove(): Promise<void>
}

export async function testDatabase(made = productDatabase()): Promise<TestDatabase> {
  const { open, remove } = await made
  const opened = await open(4)
  const stop = async () => {
    await opened.stop()
    await remove()
  }
  return { ...opened, stop, [Symbol.asyncDispose]: stop }
}

/** `testDatabase()`, shared by all tests of the calling file and stopped after the last. */
export async function databaseOfFile(): Promise<TestDatabase> {
  const db = await testDatabase()
  afterAll(() => db.stop())
  return db
}

/** Applies the roles of sql/roles, with their rights in that database. */
export function applyTestRoles(sql: Sql): Promise<void> {
  return server === undefined ? applyRoles(sql) : applyRolesOnServer(server.url, sql)
}

export function productDatabase(): Promise<ProductDatabase> {
  return server === undefined ? embeddedDatabase() : serverDatabase(server)
}

/** `productDatabase()`, shared by all tests of the calling file and removed after its own `afterAll`. */
export async function productDatabaseOfFile(made = productDatabase()): Promise<ProductDatabase> {
  const copy = await made
  afterAll(() => copy.remove())
  return copy
}

/** A database without migrations. */
export async function emptyDatabase(): Promise<TestDatabase> {
  if (server !== undefined) {
    const { url, drop } = await createDatabase(server, 'template0')
    return openDatabase(url, 1, drop)
  }
  const { dataDir, remove } = await temporaryFolder()
  const engine = await startEngine({ dataDir, durable: false })
  return openDatabase(connectionStringFor(engine.address), 1, async () => {
    await engine.stop()
    await remove()
  })
}

/** The prepared database in a separate folder, not started. */
export async function copyPreparedDatabase(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const { dataDir, remove } = await temporaryFolder()
  await mkdir(path.join(dataDir, 'engine'), { mode: 0o700 })
  unpackDatabase(inject('databaseTemplate'), path.join(dataDir, 'engine/pgdata'))
  return { dataDir, remove }
}

/** Always the embedded engine, even if the other tests run on a server. */
export async function embeddedDatabase(): Promise<ProductDatabase> {
  const { dataDir, remove } = await copyPreparedDatabase()
  const folder = path.join(dataDir, 'engine')
  return {
    dataDir,
    env: { DATA_DIR: dataDir },
    async open(poolSize) {
      const running = await findRunningEngine(folder)
      if (running !== undefined) return openDatabase(connectionStringFor(running), poolSize)
      const engine = await startEngine({ dataDir: folder, durable: false })
      return openDatabase(connectionStringFor(engine.address), poolSize, () => engine.stop())
    },
    remove,
  }
}

async function serverDatabase(server: DatabaseServer): Promise<ProductDatabase> {
  const { dataDir, remove } = await temporaryFolder()
  const { url, drop } = await createDatabase(server)
  const secretsKey = randomBytes(SECRETS_KEY_BYTES).toString('base64')
  return {
    dataDir,
    env: { DATA_DIR: dataDir, DATABASE_URL: url, SECRETS_KEY: secretsKey },
    open: async (poolSize) => openDatabase(url, poolSize),
    async remove() {
      await drop()
      await remove()
    },
  }
}

function openDatabase(url: string, poolSize = 1, onStop = async () => {}): TestDatabase {
  const database = connectDatabase({ url, poolSize })
  const stop = async () => {
    await database.close()
    await onStop()
  }
  return { database, url, stop, [Symbol.asyncDispose]: stop }
}

async function temporaryFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-test-'))
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}
