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
/** The first of them may lie before a look at the network. */
const QUIET_TURNS = 3
/** More than connections can wait. */
const TURNS_MAX = 1_000

/** To be called before the server has connections. What it returns stops the server, within DRAIN_MS. */
export function drainable(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>()
  let isStopping = false
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (isStopping) res.shouldKeepAlive = false
    underWay.add(res)
    res.on('close', onceOver)
  })
  function onceOver(this: ServerResponse): void {
    underWay.delete(this)
  }

  return async () => {
    await acceptWaiting(server)
    // Not that of HTTP servers, which closes idle connections at once.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve))
    // Not before: whoever is told to close connects again, and would be reset if that fell together with the end of listening.
    isStopping = true
    // Of answers that wait for each other on one connection the last one ends it.
    for (const res of new Map([...underWay].map((res) => [res.req.socket, res])).values()) res.shouldKeepAlive = false
    server.keepAliveTimeout = GRACE_MS // behind answers whose head has gone out already
    const grace = setTimeout(() => server.closeIdleConnections(), GRACE_MS)
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    await closed
    for (const timer of [grace, cut]) clearTimeout(timer)
  }
}

/** What has connected by now would be reset by the end of listening. A turn of the event loop accepts one, or none where none waits. */
async function acceptWaiting(server: Server): Promise<void> {
  let quietTurns = 0
  const onConnection = () => {
    quietTurns = 0
  }
  server.on('connection', onConnection)
  for (let turn = 0; quietTurns < QUIET_TURNS && turn < TURNS_MAX; turn++) {
    quietTurns += 1
    await afterPolling()
  }
  server.off('connection', onConnection)
}
