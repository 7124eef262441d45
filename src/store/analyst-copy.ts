/** Copies of the embedded database for analysts. Only the role analyst logs in to them, and nothing done there reaches the original. */
import { constants, copyFileSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { requireBytes } from '../platform/disk-space.ts'
import { connectionStringFor, type Engine, startEngine } from '../platform/engine/engine.ts'
import { connectDatabase } from './database.ts'
import { applyRoles } from './roles.ts'

/** Loading a library requires a superuser, so a security definer function of the copy does it. */
const LOADER = 'analytics.load_timescaledb()'
const CREATE_LOADER = `
  create function ${LOADER} returns void language plpgsql security definer set search_path = pg_catalog
  as 'begin load ''timescaledb''; end'`

const ANALYST = {
  user: 'analyst',
  settings: `
    set search_path = analytics;
    set timezone = 'Europe/Rome';
    set default_transaction_read_only = on;`,
  load: `select ${LOADER}`,
}

/** A write this shortly before a file was read may have the timestamp of an earlier write. */
const MTIME_MS = 2_000

export interface AnalystCopy {
  /** URL of the embedded database. */
  url: string
  /** The folder of its engine. */
  engineFolder: string
  /** Where the copy is made. */
  folder: string
  /** Called when the engine is no longer needed. */
  onCopied?: () => void
}

/** Makes a copy and returns its data version. */
export async function makeAnalystCopy({ url, engineFolder, folder, onCopied }: AnalystCopy): Promise<number> {
  const from = path.join(engineFolder, DATA)
  const to = path.join(folder, DATA)
  await requireBytes(folder, 2 * bytesOf(from), 'a copy for analysts')
  const version = await copyRunning(url, from, to)
  onCopied?.()
  await prepareRole(folder)
  return version
}

/** Starts an engine on a copy of the copy; its statements run at low priority. */
export async function startOnCopy(copy: string, folder: string): Promise<Engine> {
  const from = path.join(copy, DATA)
  await requireBytes(folder, bytesOf(from), 'a process for analysts')
  copyFiles(from, path.join(folder, DATA), listFiles(from))
  return startAsAnalyst(folder, os.constants.priority.PRIORITY_LOW)
}

/** Starts an engine in which everything runs as the role analyst. */
export function startAsAnalyst(folder: string, niceness?: number): Promise<Engine> {
  return startEngine({
    ...{ dataDir: folder, purpose: 'command', durable: false, login: ANALYST },
    ...(niceness !== undefined && { niceness }),
  })
}

const DATA = 'pgdata'

/**
 * Copies all files while the engine works and then, inside a transaction, those that have changed: while it is open, no other statement
 * runs, so the files do not change. The copy recovers as after a crash.
 */
async function copyRunning(url: string, from: string, to: string): Promise<number> {
  await using database = connectDatabase({ url, poolSize: 1 })
  await database.sql`checkpoint`
  const startedAtMs = Date.now()
  const before = listFiles(from)
  copyFiles(from, to, before)
  return await database.sql.begin(async (tx) => {
    const [row] = await tx<{ version: number }[]>`select version from data_version`
    const now = listFiles(from)
    const isAsBefore = (name: string, { size, mtimeMs }: Stats) => {
      const then = before.get(name)
      return then?.size === size && then.mtimeMs === mtimeMs && mtimeMs < startedAtMs - MTIME_MS
    }
    copyFiles(from, to, new Map([...now].filter(([name, stats]) => !isAsBefore(name, stats))))
    for (const name of before.keys()) if (!now.has(name)) rmSync(path.join(to, name), { recursive: true, force: true })
    if (row === undefined) throw new Error('data_version has no row')
    return row.version
  })
}

async function prepareRole(folder: string): Promise<void> {
  await using engine = await startEngine({ dataDir: folder, purpose: 'command', durable: false })
  await using database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
  await applyRoles(database.sql)
  await database.sql.unsafe(CREATE_LOADER)
}

/** Returns files and folders by name, each folder before its contents. Those removed in the meantime are left out. */
function listFiles(folder: string): Map<string, Stats> {
  const found = new Map<string, Stats>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false })
    if (stats) found.set(name, stats)
  }
  return found
}

function bytesOf(folder: string): number {
  return listFiles(folder)
    .values()
    .reduce((sum, { size }) => sum + size, 0)
}

/** Shares the files' blocks if the file system supports it (btrfs, XFS, APFS). */
function copyFiles(from: string, to: string, files: ReadonlyMap<string, Stats>): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const [name, stats] of files) {
    const target = path.join(to, name)
    if (stats.isDirectory()) mkdirSync(target, { recursive: true, mode: 0o700 })
    else copyUnlessGone(path.join(from, name), target)
  }
}

/** Skips files that the engine removes in the meantime: a copy of an idle engine would not have them either. */
function copyUnlessGone(file: string, target: string): void {
  try {
    copyFileSync(file, target, constants.COPYFILE_FICLONE)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
  }
}
