/** Stores finished files in a folder, which several processes may share. */
import type { Dirent, Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileStore, ListedFile } from './file-store.ts'
import { isUnfinished } from './unfinished-files.ts'

export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => path.join(folder, name)
  return {
    async put(file, name) {
      const target = path.dirname(pathOf(name))
      if (target !== path.resolve(folder)) await mkdir(target, { recursive: true })
      await rename(file, pathOf(name))
      await syncFolder(target)
    },
    has: ({ name, bytes }) => stat(pathOf(name)).then(({ size }) => size === bytes, falseIfMissing),
    remove: (name) => rm(pathOf(name), { force: true }),
    async list(within) {
      const entries = await readdir(pathOf(within), { withFileTypes: true }).catch(emptyIfMissing)
      const files = entries.filter((entry) => entry.isFile() && !isUnfinished(entry.name))
      const listed = files.map(async (entry) => {
        const found = await stat(pathOf(within + entry.name)).catch(falseIfMissing)
        return found === false ? [] : [describe(within + entry.name, found)]
      })
      return (await Promise.all(listed)).flat()
    },
    uri: (name) => pathToFileURL(pathOf(name)).href,
    path: pathOf,
    [Symbol.dispose]() {},
  }
}

function describe(name: string, { size, mtimeMs }: Stats): ListedFile {
  return { name, bytes: size, storedAt: Temporal.Instant.fromEpochMilliseconds(Math.floor(mtimeMs)) }
}

/** Returns no entries for a folder that does not exist yet; rethrows any other error. */
function emptyIfMissing(err: unknown): Dirent[] {
  falseIfMissing(err)
  return []
}

function falseIfMissing(err: unknown): false {
  if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return false
  throw err
}

/** Without this, the new name might not survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
