/** Accepts clients on the Unix socket and keeps count of them. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Backend } from './backend.ts'
import { BackendClient } from './backend-client.ts'
import { ClientSession } from './client-session.ts'
import { FatalToClient } from './message-framing.ts'
import type { Mutex } from './mutex.ts'
import type { WalSync } from './wal-sync.ts'

interface SocketServerOptions {
  backend: Backend
  walSync: WalSync
  turns: Mutex
  reportedSettings: ReadonlyMap<string, string>
  idleInTransactionMs: number
  clientsMax: number
}

export class SocketServer {
  readonly #options: SocketServerOptions
  readonly #server: Server
  readonly #sessions = new Set<ClientSession>()
  #clientsSoFar = 0

  constructor(options: SocketServerOptions) {
    this.#options = options
    this.#server = createServer((socket) => this.#accept(socket))
  }

  async listen(socketPath: string): Promise<void> {
    this.#server.listen(socketPath)
    await once(this.#server, 'listening')
  }

  /** Stops accepting clients, disconnects the connected ones, and waits until their open work is undone. */
  async close(): Promise<void> {
    this.#server.close()
    const reason = new FatalToClient('57P01', 'terminating connection: the embedded engine is stopping')
    await Promise.all([...this.#sessions].map((session) => session.terminate(reason)))
  }

  #accept(socket: Socket): void {
    const client = new BackendClient(++this.#clientsSoFar, this.#options)
    const session = new ClientSession(socket, client, { ...this.#options, checkCapacity: () => this.#checkCapacity() })
    this.#sessions.add(session)
    // `close` follows every end of a connection, errors included.
    socket.on('error', () => {})
    socket.on('close', () => void this.#removeSession(session))
  }

  #checkCapacity(): void {
    const max = this.#options.clientsMax
    if (this.#sessions.size > max)
      throw new FatalToClient('53300', `too many connections: the embedded engine takes ${max}`)
  }

  async #removeSession(session: ClientSession): Promise<void> {
    await session.leave()
    this.#sessions.delete(session)
  }
}
