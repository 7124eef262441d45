/**
 * Resolves names to allowed addresses. Every address of a name is checked, and the connection uses one of the checked addresses, so
 * DNS rebinding has no effect.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { AddressRules } from './address-rules.ts'

/** The message is the same for a name of an internal address and for an unknown name, so it does not reveal which names exist here. */
export class AddressRefused extends Error {
  /** `cause` is for the log: it names the address. */
  constructor(host: string, cause: Error) {
    super(`${host} does not lead to a public address`, { cause })
    this.name = 'AddressRefused'
  }
}

/** Resolves a name to all its addresses; `dns.lookup` with `all`, or a test's own. */
export type Resolve = (
  host: string,
  callback: (err: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const systemResolve: Resolve = (host, callback) =>
  dnsLookup(host, { all: true, verbatim: true }, (err, addresses) => callback(err, addresses ?? []))

/** Rejects with AddressRefused if the name has no address, or one that is not allowed. */
export function checkHost(host: string, addresses: AddressRules, resolve: Resolve = systemResolve): Promise<void> {
  const { promise, resolve: pass, reject } = Promise.withResolvers<void>()
  checkedLookup(addresses, resolve)(host, { all: true }, (err) => (err ? reject(err) : pass()))
  return promise
}

/** Returns the `lookup` option of a connection; it fails if any address is not allowed. */
export function checkedLookup(rules: AddressRules, resolve: Resolve = systemResolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (err, found) => {
      const refuse = (cause: Error) => callback(new AddressRefused(host, cause), [])
      if (err) return refuse(err)
      const refusal = found.map(({ address }) => rules.refusal(address)).find((reason) => reason !== undefined)
      if (refusal !== undefined) return refuse(new Error(refusal))
      const [first] = found
      if (first === undefined) return refuse(new Error('no address'))
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}
