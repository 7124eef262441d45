/** How clients reach an engine, and the folder of its socket. */

import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface EngineAddress {
  /** `<folder>/.s.PGSQL.5432` */
  socketPath: string
  /** The process that runs the engine. */
  pid: number
  purpose: EnginePurpose
}

/** The kind of process that runs the engine: a service that keeps running, or a command that ends when its work is done. */
export type EnginePurpose = 'service' | 'command'

/** Any names would do; these are the defaults of a new server. */
const USER = 'postgres'
const DATABASE = 'postgres'
const PORT = 5432

/** The connection string for clients such as `pg` (pg-boss) and psql: `postgresql://postgres@%2Fsrv%2Fdata%2Fsocket:5432/postgres`. */
export function connectionStringFor(address: EngineAddress): string {
  return `postgresql://${USER}@${encodeURIComponent(dirname(address.socketPath))}:${PORT}/${DATABASE}`
}

// The folder of the Unix socket. Its mode, 0700, alone keeps other users out: the engine needs no password.

/** The name PostgreSQL clients expect when they are given a folder and port 5432. */
const SOCKET_NAME = '.s.PGSQL.5432'
/** The kernel's limit is 108 bytes on Linux and 104 on macOS. */
const SOCKET_PATH_BYTES_MAX = 100

/** Creates the folder, inside the data folder if the path is short enough, and returns the path for the socket. */
export function prepareSocketFolder(dataDir: string): string {
  const folder = join(dataDir, 'socket')
  const socketPath = join(folder, SOCKET_NAME)
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX) {
    return join(mkdtempSync(join(tmpdir(), 'energy-prices-')), SOCKET_NAME)
  }
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  rmSync(socketPath, { force: true })
  return socketPath
}

/** Removes a socket and its folder, if nothing else is in it. */
export function removeSocket(socketPath: string): void {
  rmSync(socketPath, { force: true })
  try {
    rmdirSync(dirname(socketPath))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error
  }
}
