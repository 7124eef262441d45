/**
 * Addresses that the service may call on behalf of users: public ones, and the ranges an operator allows. An address that carries
 * another in it (IPv4-mapped, NAT64, 6to4, Teredo) is treated as reserved, whatever it carries. Ranges: IANA's special-purpose
 * registries for IPv4 and IPv6, as `ipaddr.js` holds them. Of IPv6 only what IANA gives out as global unicast is public; the rest is
 * unallocated.
 */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

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
      return undefined
    },
  }
}

function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
