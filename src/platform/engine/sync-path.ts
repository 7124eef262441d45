/** Brings files and folders to the disk. A folder is its entries: a synced file is still lost if its name is. */
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** A folder with everything in it. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    syncPath(join(entry.parentPath, entry.name))
  }
  syncPath(folder)
}

/** The folders that lead to a path which has just been made, up to the first that we may not read and so have not made. */
export function syncFoldersAbove(path: string): void {
  try {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) syncPath(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
}
