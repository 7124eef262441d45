/**
 * Addresses that the service may call on behalf of users: public ones, and the ranges an operator allows. An address that embeds
 * another (IPv4-mapped, NAT64, 6to4, Teredo) is always treated as reserved. Ranges: IANA's special-purpose registries for IPv4 and
 * IPv6, as in `ipaddr.js`. Of the IPv6 addresses, only IANA's global unicast block is public; the rest is unallocated.
 */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

export interface AddressRules {
  /** Returns undefined if the address may be called, otherwise the reason: `127.0.0.1 is a loopback address`. */
  refusal(address: string): string | undefined
}

/** `allowed`: networks in CIDR notation. Throws if one is invalid. */
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
