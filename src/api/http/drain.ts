/**
 * Stops an HTTP server without losing a request. New connections are refused first, which their clients notice before they send
 * anything. Open ones are served until each has received a last response with `Connection: close`, so that its client sends
 * no further request on it. Only connections idle for GRACE_MS are closed without it: HTTP/1.1 gives a server no way to end
 * an idle connection without the risk that a request is just arriving; a longer wait makes that rarer.
 */
import type { Server, ServerResponse } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { setImmediate as afterPolling } from 'node:timers/promises'

/** Longer than the pause of a busy client between two requests. */
const GRACE_MS = 1_000
/** Requests under way at a stop have this long to end. */
const DRAIN_MS = 4_000
/** Turns without a new connection before listening ends; the first may come before the network is polled. */
const QUIET_TURNS = 3
/** More turns than there can be connections in the backlog. */
const TURNS_MAX = 1_000

/** Call it before the server has connections. The returned function stops the server within DRAIN_MS. */
export function gracefulShutdown(server: Server): () => Promise<void> {
  /** The last response of each connection. */
  const responses = new Map<Socket, ServerResponse | undefined>()
  let isStopping = false
  server.on('connection', (socket) => {
    responses.set(socket, undefined)
    socket.once('close', () => responses.delete(socket))
  })
  server.prependListener('request', (req, res: ServerResponse) => {
    if (isStopping) res.shouldKeepAlive = false
    responses.set(req.socket, res)
  })

  return async () => {
    await acceptBacklog(server)
    // Not `close` of HTTP servers, which closes idle connections at once.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve))
    // Only now: a client that is asked to close reconnects, and would be reset while the server stops listening.
    isStopping = true
    // Of pipelined answers on one connection, the last one ends it.
    for (const res of responses.values()) if (res !== undefined && !res.closed) res.shouldKeepAlive = false
    server.keepAliveTimeout = GRACE_MS // for responses whose headers are already sent
    const grace = setTimeout(() => server.closeIdleConnections(), GRACE_MS)
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    await closed
    for (const timer of [grace, cut]) clearTimeout(timer)
  }
}

/** Accepts the connections in the backlog, which would be reset when listening ends. Each turn of the event loop accepts one. */
async function acceptBacklog(server: Server): Promise<void> {
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
