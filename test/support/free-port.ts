/** A port for a server that is stopped and started again. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral range, so that no other program is assigned the port while the server is down. */
const PORTS = [20_000, 32_768] as const

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw err
  }
  server.close()
  await once(server, 'close')
  return true
}
