/** An engine on its own temporary folder, and the product's connections to it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  connectionStringFor,
  type Engine,
  type EngineOptions,
  startEngine,
} from '../../../src/platform/engine/engine.ts'
import { connectSql, type Sql } from '../../../src/store/connect-sql.ts'

export interface EngineFixture {
  dataDir: string
  engine: Engine
  /** A pool of `max` connections, closed with the fixture. */
  connect(max?: number): Sql
  stop(): Promise<void>
}

export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-test-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export async function startEngineFixture(options: Omit<EngineOptions, 'dataDir'> = {}): Promise<EngineFixture> {
  const { folder, remove } = await temporaryFolder()
  const dataDir = path.join(folder, 'data')
  const engine = await startEngine({ dataDir, ...options })
  const pools: Sql[] = []
  return {
    dataDir,
    engine,
    connect(max = 1) {
      const pool = connectTo(engine, max)
      pools.push(pool)
      return pool
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })))
      await engine.stop()
      await remove()
    },
  }
}

export function connectTo(engine: Engine, max = 1): Sql {
  return connectSql(connectionStringFor(engine.address), { poolSize: max })
}
