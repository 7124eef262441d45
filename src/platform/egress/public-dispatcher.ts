/**
 * Connections that only ever lead to allowed addresses. A name is resolved when a connection is made, every address it resolves to is
 * checked, and the connection goes to one of those very addresses, so a name that changes in between (rebinding) gains nothing.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { Agent } from 'undici'
import type { AddressRules } from './address-rules.ts'

export class AddressRefused extends Error {
  constructor(host: string, refusal: string) {
    super(`${host} must not be called: ${refusal}`)
    this.name = 'AddressRefused'
  }
}

/** Resolves a name to all its addresses; `dns.lookup` with `all`, or a test's own. */
export type Resolve = (
  host: string,
  callback: (err: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const systemResolve: Resolve = (host, callback) =>
  dnsLookup(host, { all: true, verbatim: true }, (err, addresses) => callback(err, addresses ?? []))

export interface PublicDispatcherOptions {
  addresses: AddressRules
  connectTimeoutMs: number
  connectionsPerHost: number
  resolve?: Resolve
  /** Certificates trusted beside the system's, PEM. */
  ca?: string | undefined
}

export function publicDispatcher(options: PublicDispatcherOptions): Agent {
  const resolve = options.resolve ?? systemResolve
  return new Agent({
    connections: options.connectionsPerHost,
    pipelining: 1,
    connect: {
      timeout: options.connectTimeoutMs,
      lookup: checkedLookup(options.addresses, resolve),
      ...(options.ca !== undefined && { ca: [...getCACertificates('default'), options.ca] }),
    },
  })
}

/** Fails with AddressRefused if any of the name's addresses is not allowed. */
export function checkHost(host: string, addresses: AddressRules, resolve: Resolve = systemResolve): Promise<void> {
  const { promise, resolve: pass, reject } = Promise.withResolvers<void>()
  checkedLookup(addresses, resolve)(host, { all: true }, (err) => (err ? reject(err) : pass()))
  return promise
}

function checkedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (err, found) => {
      if (err) return callback(err, [])
      const refusal = found.map(({ address }) => rules.refusal(address)).find((reason) => reason !== undefined)
      if (refusal !== undefined) return callback(new AddressRefused(host, refusal), [])
      const [first] = found
      if (first === undefined) return callback(new Error(`${host} has no address`), [])
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}
