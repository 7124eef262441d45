/** How clients reach an engine. */
import { dirname } from 'node:path'

export interface EngineAddress {
  /** `<folder>/.s.PGSQL.5432` */
  socketPath: string
  /** The process that runs the engine. */
  pid: number
  purpose: EnginePurpose
}

/** What runs it: a service that keeps running, or a command that ends with its work. */
export type EnginePurpose = 'service' | 'command'

/** Any name would do; these are what a fresh server has. */
const USER = 'postgres'
const DATABASE = 'postgres'
const PORT = 5432

/** For clients such as `pg` (pg-boss) and psql: `postgresql://postgres@%2Fsrv%2Fdata%2Fsocket:5432/postgres`. */
export function connectionStringFor(address: EngineAddress): string {
  return `postgresql://${USER}@${encodeURIComponent(dirname(address.socketPath))}:${PORT}/${DATABASE}`
}
