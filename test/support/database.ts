/** A migrated database of its own for a test file: a copy of the prepared folder with an engine on it. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { connectionStringFor, startEngine } from '../../src/engine/engine.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'

export interface TestDatabase extends AsyncDisposable {
  database: Database
  url: string
  stop(): Promise<void>
}

/** A private copy of the prepared database's folder, not started. */
export async function copyOfDatabase(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-test-'))
  await cp(inject('databaseTemplate'), path.join(dataDir, 'engine'), { recursive: true })
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

export async function testDatabase(): Promise<TestDatabase> {
  const { dataDir, remove } = await copyOfDatabase()
  const engine = await startEngine({ dataDir: path.join(dataDir, 'engine') })
  const url = connectionStringFor(engine.address)
  const database = connectDatabase({ url, poolSize: 4 })
  const stop = async () => {
    await database.close()
    await engine.stop()
    await remove()
  }
  return { database, url, stop, [Symbol.asyncDispose]: stop }
}
