/** The folder an engine is given: made if it is not there, and told in a sentence if it cannot be used. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Its operator can mend it; the message says how. */
export class UnusableDataFolder extends Error {
  override name = 'UnusableDataFolder'
}

const { R_OK, W_OK, X_OK } = constants
/** What is wrong around the data, not with them. */
const AROUND_THE_DATA = /No space left on device|Permission denied|Read-only file system|Disk quota exceeded/

/** For this user alone, where it is made. */
export function prepareDataFolder(folder: string): void {
  makeFolder(folder)
  try {
    // The slash tells a folder from a file.
    accessSync(`${folder}/`, R_OK | W_OK | X_OK)
  } catch (error) {
    throw new UnusableDataFolder(
      `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}): make it this user's, or set DATA_DIR to another folder.`,
    )
  }
}

/** Not by `recursive`, which never returns where a folder can have no entries, as in /proc. */
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

/** PostgreSQL does not start on the folder, for the reason it gives. */
export function databaseNotOpened(folder: string, reason: string): UnusableDataFolder {
  return new UnusableDataFolder(
    AROUND_THE_DATA.test(reason)
      ? `The database in ${folder} cannot be opened (${reason}): mend that, and start again.`
      : `The database in ${folder} is damaged (${reason}): restore DATA_DIR from a backup, or set it to another folder, where a new database starts afresh or "npm run move" brings one in.`,
  )
}
