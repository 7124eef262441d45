/**
 * Which errors mean that the database is temporarily unreachable. The response is status 503, `Retry-After` and the
 * contract's `internal_error` ("service fault; the caller retries"); `no_data` would blame the source. Any other error is 500.
 */

/** A restart or a failover takes at most this long; anything longer is an outage. */
export const DATABASE_RETRY_SECONDS = 10

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

/** Class 08 connection exceptions, 53 insufficient resources (53300 too many connections), 57P the operator intervened. */
const SQLSTATE = /^(?:08...|53...|57P0.)$/

/** Whether the error or one of its causes is such an error. */
export function isDatabaseUnavailable(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  return hasUnavailableCode(err) || isMissingSocket(err) || isDatabaseUnavailable(err.cause)
}

function hasUnavailableCode(err: Error): boolean {
  const code = 'code' in err ? err.code : undefined
  return typeof code === 'string' && (CONNECTION_CODES.has(code) || SQLSTATE.test(code))
}

/** ENOENT while connecting: the engine's Unix socket is not there. While reading a file it is something else. */
function isMissingSocket(err: Error): boolean {
  return 'code' in err && err.code === 'ENOENT' && 'syscall' in err && err.syscall === 'connect'
}
