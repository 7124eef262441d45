/** Reports a full disk in one sentence, before the database runs out of space. */
import { statfs } from 'node:fs/promises'
import path from 'node:path'

const MB = 1_000_000
/** Enough for one import batch and its write-ahead log; with less, the database may not even be able to stop. */
const FREE_BYTES_MIN = 64 * MB
/** Aggregates of new prices, and their write-ahead log, which is recycled beyond some size. */
const AGGREGATE_BYTES_PER_PRICE = 1_000
const AGGREGATE_BYTES_MAX = 128 * MB

/** Codes of PostgreSQL, of the system, and of SQLite, which locks the data folder. */
const DISK_FULL_CODES = new Set<unknown>(['53100', 'ENOSPC', 'EDQUOT'])
const SQLITE_FULL = 13

export class DiskFull extends Error {
  override name = 'DiskFull'
}

/** Throws DiskFull if the folder's disk lacks the space to begin or continue an import. The folder need not exist yet. */
export async function requireSpace(folder: string, pricesBefore = 0): Promise<void> {
  const needed = Math.min(pricesBefore * AGGREGATE_BYTES_PER_PRICE, AGGREGATE_BYTES_MAX)
  await requireBytes(folder, needed, 'the import')
}

/** Throws DiskFull if the disk lacks room for that many bytes in addition to what the database needs. */
export async function requireBytes(folder: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(path.resolve(folder))
  const needed = FREE_BYTES_MIN + bytes
  if (free >= needed) return
  const [left, required] = [Math.floor(free / MB), Math.ceil(needed / MB)]
  throw new DiskFull(
    `The disk of ${folder} has ${left} MB left, ${what} needs ${required} MB: free some space and run it again.`,
  )
}

export function isDiskFull(err: unknown): boolean {
  if (err instanceof SuppressedError) return isDiskFull(err.suppressed)
  if (err instanceof DiskFull) return true
  const { code, errcode, cause } = (err ?? {}) as { code?: unknown; errcode?: unknown; cause?: unknown }
  return DISK_FULL_CODES.has(code) || errcode === SQLITE_FULL || (cause !== undefined && isDiskFull(cause))
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT' || folder === path.dirname(folder)) throw err
    return await freeBytes(path.dirname(folder))
  }
}
