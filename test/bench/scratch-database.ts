/** A fresh, migrated embedded database in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'

export interface ScratchDatabase extends AsyncDisposable {
  database: Database
  url: string
  folder: string
}

export async function scratchDatabase({ durable = true } = {}): Promise<ScratchDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
  const engine = await startEngine({ dataDir: path.join(folder, 'engine'), durable })
  const url = connectionStringFor(engine.address)
  const database = connectDatabase({ url, poolSize: 4 })
  await migrate(database)
  return {
    database,
    url,
    folder,
    async [Symbol.asyncDispose]() {
      await database.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
