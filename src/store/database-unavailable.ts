/** Errors that mean that the database is temporarily unreachable. */

/** Codes of the client library and of the operating system. */
const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Message of the queue's client, whose errors have no codes. */
const CONNECTION_MESSAGE = 'Connection terminated unexpectedly'

/** Class 08 connection exceptions, 53 insufficient resources (53300 too many connections), 57P operator intervention. */
const SQLSTATE = /^(?:08...|53...|57P0.)$/

/** Whether the error or one of its causes is such an error. */
export function isDatabaseUnavailable(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  return isOfConnection(err) || isMissingSocket(err) || isDatabaseUnavailable(err.cause)
}

function isOfConnection(err: Error): boolean {
  const code = 'code' in err ? err.code : undefined
  if (code === undefined) return err.message === CONNECTION_MESSAGE
  return typeof code === 'string' && (CONNECTION_CODES.has(code) || SQLSTATE.test(code))
}

/** ENOENT while connecting means that the engine's Unix socket does not exist; while reading a file it means something else. */
function isMissingSocket(err: Error): boolean {
  return 'code' in err && err.code === 'ENOENT' && 'syscall' in err && err.syscall === 'connect'
}
