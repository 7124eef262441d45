/** Problems that the operator of a service or a command can fix: reported in a sentence, without a stack trace. */

import { ConfigurationError } from '../platform/configuration-error.ts'
import { DiskFull, isDiskFull } from '../platform/disk-space.ts'
import { EngineInUse, UnusableDataFolder } from '../platform/engine/engine.ts'
import { CannotListen } from '../platform/listen.ts'
import { ProcessEnded } from '../platform/processes/process-group.ts'
import { isDatabaseUnavailable } from '../store/database-unavailable.ts'
import { SchemaBehind, SchemaUnknown } from '../store/migrate.ts'
import { TimescaleMissing } from '../store/timescale.ts'

/** Errors whose message is already such a sentence. */
const USER_FACING_ERRORS = [
  ConfigurationError,
  EngineInUse,
  UnusableDataFolder,
  SchemaBehind,
  SchemaUnknown,
  TimescaleMissing,
  CannotListen,
  DiskFull,
  ProcessEnded,
]

/** Error codes of the network, of PostgreSQL (SQLSTATE) and of its driver. */
const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  '28000', // refused by pg_hba.conf
  '28P01', // wrong password
  '3D000', // no such database
])
const FOLDER_ERROR_CODES = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'])

/** Returns the sentence, or undefined for an internal error. `The database cannot be reached: connect ECONNREFUSED 127.0.0.1:5432` */
export function startProblem(err: unknown): string | undefined {
  // The first error; the other is a failed clean-up after it.
  if (err instanceof SuppressedError) return startProblem(err.suppressed)
  if (!(err instanceof Error)) return undefined
  if (USER_FACING_ERRORS.some((kind) => err instanceof kind)) return err.message
  if (isDiskFull(err)) return `The disk is full: ${messageOfFirst(err)}. Free some space and try again.`
  const { code, syscall } = err as NodeJS.ErrnoException
  if (code !== undefined && CONNECTION_ERROR_CODES.has(code))
    return `The database cannot be reached: ${messagesOf(err)}`
  if (code !== undefined && syscall === 'mkdir' && FOLDER_ERROR_CODES.has(code)) return folderProblem(err)
  return isDatabaseUnavailable(err)
    ? `The connection was lost: ${err.message}. Is the database, or the service that runs it, still there?`
    : undefined
}

/** `The folder /srv/energy cannot be made (EACCES): …` */
function folderProblem({ code, path = '' }: NodeJS.ErrnoException): string {
  return `The folder ${path} cannot be made (${code}): make it yourself and let this user write to it, or name another (DATA_DIR, BULK_DIR).`
}

/** Message of the first cause: `could not extend file …` */
function messageOfFirst(err: Error): string {
  return err.cause instanceof Error ? messageOfFirst(err.cause) : err.message
}

/** A name with several addresses fails with one error per address and no message. */
function messagesOf(err: Error): string {
  return err instanceof AggregateError ? err.errors.map((one: Error) => one.message).join('; ') : err.message
}
