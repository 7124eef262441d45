/**
 * Stops an HTTP server without losing a request. New connections are refused first, which their clients see before they have sent
 * anything. Those that are open are served on, each with one last answer that says `Connection: close`, so that its client opens
 * no second request on it. Only connections that stay silent for GRACE_MS are closed unasked: HTTP/1.1 gives a server no way to end
 * one of them that a client could not cross with a request, so the longer, the rarer.
 */
import type { Server, ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as afterPolling } from 'node:timers/promises'

/** Longer than a busy client pauses between two requests. */
const GRACE_MS = 1_000
/** Requests under way at a stop have this long to end. */
const DRAIN_MS = 4_000

/** To be called before the server has connections. What it returns stops the server, within DRAIN_MS. */
export function drainable(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>()
  let isStopping = false
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (isStopping) res.shouldKeepAlive = false
    underWay.add(res)
    res.once('close', () => underWay.delete(res))
  })

  return async () => {
    isStopping = true
    // Of answers that wait for each other on one connection the last one ends it.
    for (const res of new Map([...underWay].map((res) => [res.req.socket, res])).values()) res.shouldKeepAlive = false
    server.keepAliveTimeout = GRACE_MS // behind answers whose head has gone out already
    await afterPolling() // what has connected by now is accepted, and not reset by the end of listening
    // Not that of HTTP servers, which closes idle connections at once.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve))
    const grace = setTimeout(() => server.closeIdleConnections(), GRACE_MS)
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    await closed
    for (const timer of [grace, cut]) clearTimeout(timer)
  }
}
