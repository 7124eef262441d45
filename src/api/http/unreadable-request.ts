/**
 * The response if there is no request to pass to the app: for bytes that Node's parser refuses, and for CONNECT, for which Node passes the
 * raw socket. It is written by hand, with the contract's body and an id, and the connection is closed, because the start of the
 * next request is unknown.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../platform/log.ts'
import { toErrorBody } from '../contract/error-body.ts'
import { ApiError, methodNotAllowed } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import { requestIdOf } from './request-context.ts'

interface Refusal {
  status: number
  reason: string
  message: string
}

const UNREADABLE: Refusal = { status: 400, reason: 'Bad Request', message: 'The request is not well-formed HTTP/1.1.' }
/** Refusals by the code of Node's error. */
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
/** The methods of the service as a whole: the target of CONNECT is not one of its paths. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']

/** A listener for `clientError` of an HTTP server. */
export function answerUnreadable(baseUrl: URL, log: Logger) {
  return (err: Error & { code?: string }, socket: Duplex): void => {
    if (err.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket)) {
      socket.destroy()
      return
    }
    const { status, reason, message } = REFUSALS[err.code ?? ''] ?? UNREADABLE
    const requestId = requestIdOf(undefined)
    log.info({ requestId, status, code: err.code }, 'request that cannot be read')
    end(socket, `${status} ${reason}`, {
      err: new ApiError('invalid_parameter', message, { status }),
      requestId,
      baseUrl,
    })
  }
}

/** Whether part of an answer has been sent already, so that no other may follow. Checked as Node's own listener does. */
function hasStartedResponse(socket: Duplex & { _httpMessage?: ServerResponse }): boolean {
  return socket._httpMessage?.headersSent === true
}

/** A listener for `connect` of an HTTP server: the service is not a proxy. */
export function refuseTunnel(baseUrl: URL, log: Logger) {
  return (req: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => socket.destroy()) // Node no longer handles errors of this socket
    const err = methodNotAllowed('CONNECT', METHODS)
    const requestId = requestIdOf(req.headers['x-request-id'])
    log.info({ requestId, status: err.status }, 'request for a tunnel')
    end(socket, `${err.status} Method Not Allowed`, { err, requestId, baseUrl })
  }
}

function end(socket: Duplex, status: string, answer: { err: ApiError; requestId: string; baseUrl: URL }): void {
  const { err, requestId, baseUrl } = answer
  const body = JSON.stringify(toErrorBody(err, baseUrl))
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `${REQUEST_ID}: ${requestId}`,
      ...(err.allow === undefined ? [] : [`Allow: ${err.allow.join(', ')}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
