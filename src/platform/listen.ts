/** Starts a server on its configured address, or explains in a sentence why it cannot. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** An error that the operator can fix: the port is taken, or the address does not belong to this machine. */
export class CannotListen extends Error {
  override name = 'CannotListen'
}

/** Names of the environment variables of the host and the port. */
interface AddressVariables {
  host: string
  port: string
}

/** Returns the port, the assigned one if 0 was requested. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  variables: AddressVariables,
): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (err) {
    const advice = adviceFor((err as NodeJS.ErrnoException).code, variables)
    if (advice === undefined) throw err
    throw new CannotListen(`${variables.port}=${port}, ${variables.host}=${host}: ${advice}`, { cause: err })
  }
  return (server.address() as AddressInfo).port
}

function adviceFor(code: string | undefined, { host, port }: AddressVariables): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `another program listens on this port. End it, or set ${port} to a free one; 0 takes any.`
    case 'EACCES':
      return `this user may not listen on this port. Set ${port} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no such address. Set ${host} to one that it has.`
    default:
      return undefined
  }
}

/** Wildcard addresses, to which clients cannot connect. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::']

/** Returns the URL of a server that listens on `host`: `localhost` if it listens on all addresses. */
export function listeningUrl(host: string, port: number, path = '/'): URL {
  const name = WILDCARDS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return new URL(path, `http://${name}:${port}`)
}
