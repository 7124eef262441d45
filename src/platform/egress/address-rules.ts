/**
 * Which addresses the service may call on behalf of users: public ones, and the ranges an operator allows. An address that carries
 * another in it (IPv4-mapped, NAT64, 6to4, Teredo) is treated as reserved, whatever it carries. Ranges: IANA's special-purpose
 * registries for IPv4 and IPv6, as `ipaddr.js` holds them, and those of the table below that it calls unicast. Of IPv6 only what IANA
 * gives out as global unicast is public; the rest is unallocated.
 */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Special-purpose ranges beyond those that `range()` names. */
const RESERVED = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.88.99.0/24', // former 6to4 relays
  '198.18.0.0/15', // benchmarking
  '240.0.0.0/4',
  '2001::/23', // protocol assignments, Teredo and ORCHID among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
].map((text) => ipaddr.parseCIDR(text))
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

export interface AddressRules {
  /** Undefined where the address may be called, else why not: `127.0.0.1 is a loopback address`. */
  refusal(address: string): string | undefined
}

/** `allowed` are networks in CIDR notation. Throws where one is not. */
export function addressRules(allowed: readonly string[]): AddressRules {
  const exceptions = allowed.map((text) => ipaddr.parseCIDR(text))
  return {
    refusal(text) {
      if (!ipaddr.isValid(text)) return `${text} is not an address`
      const address = ipaddr.parse(text)
      if (exceptions.some((range) => isIn(address, range))) return undefined
      if (address.range() !== 'unicast') return `${text} is not a public address (${address.range()})`
      if (address.kind() === 'ipv6' && !isIn(address, GLOBAL_UNICAST))
        return `${text} is not a public address (unallocated)`
      if (RESERVED.some((range) => isIn(address, range))) return `${text} is not a public address (reserved)`
      return undefined
    },
  }
}

function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
