/**
 * Simulates a disk that loses unsynced data; preloaded into a process (`node --import`). Outside POWER_LOSS_FOLDER, in POWER_LOSS_RECORD,
 * it records what a power loss would leave of that folder. Before file operation number POWER_LOSS_AT of a thread, it kills the process.
 *
 * A file survives with its content at the last sync, a folder with its entries at that time. Files get our own ids, since the file
 * system reuses inode numbers.
 */
import fs, { type PathLike } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

export interface RecordedEntry {
  name: string
  id: number
  folder: boolean
}

/** Ids of the existing files by inode number. */
export type RecordedIds = Record<string, number>

const root = process.env.POWER_LOSS_FOLDER ?? ''
const record = process.env.POWER_LOSS_RECORD ?? ''
const at = Number(process.env.POWER_LOSS_AT)
const real = { ...fs }
const openHandle = promises.open

const idFile = path.join(record, 'ids.json')
const ids = new Map<number, number>()
/** Paths of the open files by descriptor, which does not reveal its path. */
const paths = new Map<number, string>()
/** The latest copy of each file: a sync may end after another that began later. */
const newest = new Map<number, number>()
let copies = 0
let nextId = 1
let operations = 0

if (!isMainThread) {
  if (real.existsSync(idFile)) restoreIds()
  else {
    real.mkdirSync(record, { recursive: true })
    recordTree(root)
  }
  replaceFunctions()
}

/** Used if a record exists: the thread that creates the database began it. */
function restoreIds(): void {
  for (const [inode, id] of Object.entries(JSON.parse(real.readFileSync(idFile, 'utf8')) as RecordedIds))
    ids.set(Number(inode), id)
  nextId = Math.max(0, ...ids.values()) + 1
}

function replaceFunctions(): void {
  fs.openSync = (file, flags, mode) => {
    const created = typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0 && !real.existsSync(file)
    if (created) countOperation()
    const fd = real.openSync(file, flags, mode)
    paths.set(fd, String(file))
    if (created) assignId(file)
    return fd
  }
  fs.closeSync = (fd) => {
    paths.delete(fd)
    real.closeSync(fd)
  }
  fs.fsyncSync = (fd) => {
    countOperation()
    real.fsyncSync(fd)
    recordSynced(fd)()
  }
  fs.fdatasyncSync = (fd) => {
    countOperation()
    real.fdatasyncSync(fd)
    recordSynced(fd)()
  }
  // Covers only data written before the sync began, and counts only once it has ended.
  fs.fdatasync = ((fd: number, done: fs.NoParamCallback) => {
    countOperation()
    const keep = recordSynced(fd)
    real.fdatasync(fd, (error) => {
      if (!error) keep()
      done(error)
    })
  }) as typeof fs.fdatasync
  promises.open = async (file, ...rest) => {
    const handle = await openHandle(file, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      countOperation()
      const keep = recordInside(String(file))
      await sync()
      keep()
    }
    return handle
  }
  fs.writeFileSync = (file, ...rest) => {
    countOperation()
    const created = typeof file === 'string' && !real.existsSync(file)
    real.writeFileSync(file, ...rest)
    if (created) assignId(file)
  }
  fs.mkdirSync = ((folder: PathLike, options?: fs.MakeDirectoryOptions) => {
    countOperation()
    const made = real.mkdirSync(folder, options)
    assignId(folder)
    return made
  }) as typeof fs.mkdirSync
  for (const name of ['writeSync', 'renameSync', 'unlinkSync', 'rmdirSync', 'truncateSync'] as const) {
    const change = real[name] as (...args: unknown[]) => unknown
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        countOperation()
        return change(...args)
      },
    })
  }
  syncBuiltinESMExports()
}

function countOperation(): void {
  operations += 1
  if (operations === at) process.kill(process.pid, 'SIGKILL')
}

/** Gives a new file a new id: data synced under its inode before belonged to another file. */
function assignId(file: PathLike): number {
  const id = nextId++
  ids.set(real.lstatSync(file).ino, id)
  real.writeFileSync(idFile, JSON.stringify(Object.fromEntries(ids)))
  return id
}

function idOf(file: string): number {
  return ids.get(real.lstatSync(file).ino) ?? assignId(file)
}

/** Copies the file of the descriptor; the returned function makes the copy the surviving content. */
function recordSynced(fd: number): () => void {
  const file = paths.get(fd)
  if (file === undefined) return () => {}
  if (real.lstatSync(file).ino !== real.fstatSync(fd).ino) throw new Error(`${file} was moved while it was open`)
  return recordInside(file)
}

function recordInside(file: string): () => void {
  return path.relative(root, file).startsWith('..') ? () => {} : recordPath(file)
}

function recordPath(file: string): () => void {
  const id = idOf(file)
  const recorded = path.join(record, String(id))
  const copy = `${recorded}.${++copies}`
  const order = copies
  if (real.lstatSync(file).isDirectory()) real.writeFileSync(copy, JSON.stringify(entriesOf(file)))
  else real.copyFileSync(file, copy)
  return () => {
    if (order < (newest.get(id) ?? 0)) return
    newest.set(id, order)
    real.renameSync(copy, recorded)
  }
}

function entriesOf(folder: string): RecordedEntry[] {
  return real
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, id: idOf(path.join(folder, entry.name)), folder: entry.isDirectory() }))
}

/** Everything that exists at the start counts as synced. */
function recordTree(folder: string): void {
  for (const entry of real.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) recordTree(file)
    else if (entry.isFile()) recordPath(file)()
  }
  recordPath(folder)()
}
