/** HTTP servers of a test, on a free port of this machine. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface LocalServer extends AsyncDisposable {
  port: number
  /** Without a trailing slash. */
  baseUrl: string
}

/** Starts the server; its disposal also ends open connections. */
export async function listenLocally(server: HttpServer | HttpsServer): Promise<LocalServer> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
