/** Opens the database: the configured server, else the embedded engine on DATA_DIR, started here or joined. */
import path from 'node:path'
import {
  connectionStringFor,
  type Engine,
  EngineInUse,
  type EnginePurpose,
  findRunningEngine,
  startEngine,
} from '../platform/engine/engine.ts'
import type { Config } from './config/config.ts'
import { findFirstDatabase } from './first-database.ts'

export interface DatabaseLocation {
  url: string
  readUrls: readonly string[]
  /** The engine this process runs; undefined if the data are on a server or in another process's engine. */
  engine: Engine | undefined
}

/** The folder of the embedded engine below DATA_DIR. */
export function engineFolder(dataDir: string): string {
  return path.join(dataDir, 'engine')
}

/** Opens the database of the service; a second service on the same DATA_DIR is refused (EngineInUse). */
export async function openDatabase(config: Config, purpose: EnginePurpose = 'service'): Promise<DatabaseLocation> {
  if (config.database.url !== undefined) {
    return {
      url: config.database.url.reveal(),
      readUrls: config.database.readUrls.map((url) => url.reveal()),
      engine: undefined,
    }
  }
  const { dataDir, durable } = config.database
  // Prepared sample data are of no use if CLOCK is set, nor to a command that loads real data.
  const isFilled = purpose === 'service' && config.sampleData === 'auto' && config.clockStart === undefined
  const template = () => findFirstDatabase(isFilled ? 'sample' : 'migrated')
  const engine = await startEngine({ dataDir: engineFolder(dataDir), purpose, durable, template })
  return { url: connectionStringFor(engine.address), readUrls: [], engine }
}

/**
 * For command-line tools: joins the engine of a running service if there is one. Another command's engine is refused (EngineInUse),
 * since it ends with that command.
 */
export async function openOrJoinDatabase(config: Config): Promise<DatabaseLocation> {
  try {
    return await openDatabase(config, 'command')
  } catch (err) {
    const running =
      err instanceof EngineInUse ? await findRunningEngine(engineFolder(config.database.dataDir)) : undefined
    if (running?.purpose !== 'service') throw err
    return { url: connectionStringFor(running), readUrls: [], engine: undefined }
  }
}
