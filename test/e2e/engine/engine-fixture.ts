/** Engines on temporary folders, and the product's connections to them. */
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import {
  connectionStringFor,
  type Engine,
  type EngineOptions,
  startEngine,
} from '../../../src/platform/engine/engine.ts'
import { connectSql, type Sql } from '../../../src/store/connect-sql.ts'
import { scratchFolder, scratchFolderOfFile } from '../../support/scratch-folder.ts'

/** An engine shared by all tests of the file; `connect` opens a pool of one connection that is closed with it. */
export async function engineOfFile(options: Omit<EngineOptions, 'dataDir'> = {}) {
  const engine = await startEngine({ dataDir: await scratchFolderOfFile(), ...options })
  const pools: Sql[] = []
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })))
    await engine.stop()
  })
  const connect = () => {
    const pool = connectTo(engine)
    pools.push(pool)
    return pool
  }
  return { engine, connect }
}

/** Starts an engine once on a folder, or a subfolder of it, and copies the folder for each test of the file: first starts are slow. */
export async function preparedFolders(subfolder = '.'): Promise<() => string> {
  const prepared = await scratchFolderOfFile()
  await (await startEngine({ dataDir: path.join(prepared, subfolder), durable: false })).stop()
  let folder: string
  beforeEach(async () => {
    const stack = new AsyncDisposableStack()
    folder = path.join(await scratchFolder(stack), 'data')
    await cp(prepared, folder, { recursive: true })
    return () => stack.disposeAsync()
  })
  return () => folder
}

export function connectTo(engine: Engine): Sql {
  return connectSql(connectionStringFor(engine.address), { poolSize: 1 })
}
