/** The engine's data folder: created if it is missing; if it cannot be used, the error says why in a sentence. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** A problem that the operator can fix; the message says how. */
export class UnusableDataFolder extends Error {
  override name = 'UnusableDataFolder'
}

const { R_OK, W_OK, X_OK } = constants
/** Problems of the disk or of permissions, not of the data. */
const STORAGE_PROBLEM = /No space left on device|Permission denied|Read-only file system|Disk quota exceeded/

/** Creates the folder if it is missing, for this user only, and checks that it is usable. */
export function prepareDataFolder(folder: string): void {
  makeFolder(folder)
  try {
    // The trailing slash makes a file fail with ENOTDIR.
    accessSync(`${folder}/`, R_OK | W_OK | X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UnusableDataFolder(
      code === 'ENOTDIR'
        ? `The data folder ${folder} is a file: remove it, or set DATA_DIR to another folder.`
        : `The data folder ${folder} cannot be written to (${code}): make it this user's, or set DATA_DIR to another folder.`,
    )
  }
}

/** Does not use `recursive`, which never returns where a folder cannot have entries, as in /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    makeFolder(dirname(folder))
    makeFolder(folder)
  }
}

/** Returns the error for a folder on which PostgreSQL does not start; the message includes PostgreSQL's reason. */
export function databaseOpenError(folder: string, reason: string): UnusableDataFolder {
  return new UnusableDataFolder(
    STORAGE_PROBLEM.test(reason)
      ? `The database in ${folder} cannot be opened (${reason}): fix that and start again.`
      : `The database in ${folder} is damaged (${reason}): restore DATA_DIR from a backup, or set it to another folder, where the service starts with a new database, or one that "npm run move" copied.`,
  )
}
