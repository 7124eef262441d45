/** Finished files in a folder; several processes may share it. */
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FileStore } from './file-store.ts'
import { isUnfinished } from './unfinished-files.ts'

export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => path.join(folder, name)
  return {
    async put(file, name) {
      await rename(file, pathOf(name))
      await syncFolder(folder)
    },
    has: ({ name, bytes }) => stat(pathOf(name)).then(({ size }) => size === bytes, absent),
    remove: (name) => rm(pathOf(name), { force: true }),
    async namesBefore(instant) {
      const names = (await readdir(folder)).filter((name) => !isUnfinished(name))
      const ages = await Promise.all(names.map(async (name) => ({ name, ms: (await stat(pathOf(name))).mtimeMs })))
      return ages.filter(({ ms }) => ms < instant.epochMilliseconds).map(({ name }) => name)
    },
    path: pathOf,
    [Symbol.dispose]() {},
  }
}

function absent(err: unknown): false {
  if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return false
  throw err
}

/** Otherwise the new name might not survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
