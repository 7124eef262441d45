/** Which address a client is known by: an IPv4 client by its address, an IPv6 client by its /64, which is one household or host. */
import ipaddr from 'ipaddr.js'

const IPV6_PREFIX_BYTES = 8

/** `clientAddress('::ffff:192.0.2.1')` is `192.0.2.1`; `2001:db8:1:2:3::4` becomes `2001:db8:1:2::/64`. */
export function clientAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, i) => (i < IPV6_PREFIX_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes)}/64`
}
