/** Starts a server on its configured address, or says in a sentence why it cannot. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** An error that the operator can mend: another program has the port, or the address is not this machine's. */
export class CannotListen extends Error {
  override name = 'CannotListen'
}

/** Names of the environment variables that say where. */
interface AddressVariables {
  host: string
  port: string
}

/** The port; if 0 was requested, the one assigned. */
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

/** Wildcard addresses, which cannot be called. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::']

/** URL of a server that listens on `host`: `localhost` where it listens on all addresses. */
export function listeningUrl(host: string, port: number, path = '/'): URL {
  const name = WILDCARDS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return new URL(path, `http://${name}:${port}`)
}
