/**
 * Node's HTTP server as the service runs it. What Node would answer by itself, without a body or an id, is answered by the app where
 * there is a request, else by hand.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Logger } from '../../platform/log.ts'
import { answerUnreadable, refuseTunnel } from './unreadable-request.ts'

/** Longer than load balancers keep an idle connection, which else would send a request into one that is just being closed. */
const KEEP_ALIVE_MS = 65_000
/** For all headers of a request, and for the whole of it: a client that dribbles is cut off. */
const HEADERS_MS = 15_000
const REQUEST_MS = 30_000
/** How often connections are looked at for these; Node's own 30 seconds would be added to them. */
const LOOK_EVERY_MS = 5_000

export function httpServer(): Server {
  return createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    requireHostHeader: false, // src/api/http/ambiguous-headers.ts
  })
}

/** Once it is known where it listens. */
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
