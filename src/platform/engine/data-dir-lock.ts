/**
 * Allows one engine per data folder. The lock is SQLite's, on a separate file: the kernel releases it however the process dies, so
 * there are no stale process ids to check. (Node has no `flock`.)
 *
 * @NOTE POSIX releases such a lock when its process closes *any* descriptor of the file: never open `engine.lock` any other way.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UnusableDataFolder } from './data-folder.ts'
import { readEngineRecord } from './engine-record.ts'

const SQLITE_BUSY = 5
/** SQLite's codes for a file that cannot be opened or is not a database. */
const SQLITE_NOT_A_LOCK = [14, 26]

/** Another engine, in this process or another one, uses the data folder. */
export class EngineInUse extends Error {
  readonly dataDir: string
  constructor(dataDir: string) {
    const holder = readEngineRecord(dataDir)
    const who = holder ? `process ${holder.pid} (since ${holder.startedAt})` : 'another process'
    super(`The data folder ${dataDir} is in use by ${who}. Stop it, or use another folder.`)
    this.name = 'EngineInUse'
    this.dataDir = dataDir
  }
}

/** Returns the function that releases the lock. Throws EngineInUse, or UnusableDataFolder if the file is not a lock. */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'engine.lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('begin exclusive')
  } catch (error) {
    file?.close()
    const { errcode = 0, message } = error as Error & { errcode?: number }
    if (errcode === SQLITE_BUSY) throw new EngineInUse(dataDir)
    if (!SQLITE_NOT_A_LOCK.includes(errcode)) throw error
    throw new UnusableDataFolder(
      `${path} is damaged (${message}). It holds no data: make sure that no service runs on the folder, remove it, and start again.`,
    )
  }
  return () => file.close()
}
