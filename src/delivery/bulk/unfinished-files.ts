/**
 * Files, or folders of files, that are being written. A name identifies the writing process, so that files of dead processes are
 * recognised: on the same machine immediately, on another one sharing the folder once they are older than any export can take.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** No export takes longer. */
export const EXPORT_SECONDS_MAX = 1_800

const UNFINISHED = /^\.(.+)\.(\d+)\.[0-9a-f]{8}\.part$/
/** Files being written by this process. */
const own = new Set<string>()

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name)
}

/** Creates `folder` if missing and returns a path in it for a new file or folder, which is removed on disposal. */
export async function unfinishedFile(folder: string): Promise<AsyncDisposable & { path: string }> {
  await mkdir(folder, { recursive: true })
  const name = `.${os.hostname()}.${process.pid}.${randomBytes(4).toString('hex')}.part`
  const file = path.join(folder, name)
  own.add(name)
  return {
    path: file,
    async [Symbol.asyncDispose]() {
      await rm(file, { force: true, recursive: true })
      own.delete(name)
    },
  }
}

/** Removes the files of dead processes, as far as permissions allow. */
export async function removeOrphanedFiles(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isUnfinished)) {
    const file = path.join(folder, name)
    if (!own.has(name) && !(await isAlive(name, file)))
      await rm(file, { force: true, recursive: true }).catch(ignoreForeignFile)
  }
}

async function isAlive(name: string, file: string): Promise<boolean> {
  const [, host, pid] = UNFINISHED.exec(name) ?? []
  // A file with this process id that this process did not write is from an earlier process with the same id, as in containers.
  if (host === os.hostname()) return Number(pid) !== process.pid && isRunning(Number(pid))
  const age = await stat(file).then(({ mtimeMs }) => Date.now() - mtimeMs, undefinedIfMissing)
  return age !== undefined && age < EXPORT_SECONDS_MAX * 1_000
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM'
  }
}

/** Ignores that a file belongs to another user, in a folder such as /tmp. */
function ignoreForeignFile(err: unknown): void {
  if (!(err instanceof Error && 'code' in err && (err.code === 'EPERM' || err.code === 'EACCES'))) throw err
}

function undefinedIfMissing(err: unknown): undefined {
  if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined
  throw err
}
