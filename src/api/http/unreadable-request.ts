/**
 * The answer to bytes that Node's parser refuses as a request: there is no request yet, so it is written to the socket by hand, with
 * the contract's body and an id, and the connection ends, since nobody can tell where the next request would begin.
 */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../platform/log.ts'
import { toErrorBody } from '../contract/error-body.ts'
import { ApiError } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'

interface Refusal {
  status: number
  reason: string
  message: string
}

const UNREADABLE: Refusal = { status: 400, reason: 'Bad Request', message: 'The request is not well-formed HTTP/1.1.' }
/** By the code of Node's error. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The head of the request is larger than 16 kB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    message: 'The request did not arrive in time.',
  },
}

/** A listener for `clientError` of an HTTP server. */
export function answerUnreadable(baseUrl: URL, log: Logger) {
  return (err: Error & { code?: string }, socket: Duplex): void => {
    if (err.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, reason, message } = REFUSALS[err.code ?? ''] ?? UNREADABLE
    const requestId = randomUUID()
    const body = JSON.stringify(toErrorBody(new ApiError('invalid_parameter', message, { status }), baseUrl))
    log.info({ requestId, status, code: err.code }, 'request that cannot be read')
    socket.end(
      [
        `HTTP/1.1 ${status} ${reason}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        `${REQUEST_ID}: ${requestId}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
}
