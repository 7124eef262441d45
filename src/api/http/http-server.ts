/**
 * Node's HTTP server as the service runs it. Where Node would send its own response, without a body or an id, the app responds if
 * there is a request; otherwise the response is written by hand.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Logger } from '../../platform/log.ts'
import { KEEP_ALIVE_MS, PreparedResponse } from './prepared-response.ts'
import { answerUnreadable, refuseTunnel } from './unreadable-request.ts'

/** Timeouts for all headers of a request, and for the whole request: slow clients are disconnected. */
const HEADERS_MS = 15_000
const REQUEST_MS = 30_000
/** Interval at which connections are checked for time-outs; Node's default of 30 seconds would be added to them. */
const TIMEOUT_CHECK_MS = 5_000

export function httpServer(): Server {
  return createServer({
    ServerResponse: PreparedResponse,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    optimizeEmptyRequests: true,
    requireHostHeader: false, // checked by refuseAmbiguousHeaders in fast-path.ts
  })
}

/** Called once the server's URL is known. */
export function serveRequests(
  server: Server,
  app: RequestListener,
  { baseUrl, log }: { baseUrl: URL; log: Logger },
): void {
  server.on('request', app)
  server.on('checkExpectation', app)
  server.on('connect', refuseTunnel(baseUrl, log))
  server.on('clientError', answerUnreadable(baseUrl, log))
}
