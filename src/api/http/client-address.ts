/** Which address a client is known by: an IPv4 client by its address, an IPv6 client by its /64, which is one household or host. */
import type { RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'

const IPV6_PREFIX_BYTES = 8
/** An entry of `X-Forwarded-For` with a port, which some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:443`, and brackets alone. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i

/** `clientAddress('::ffff:192.0.2.1')` is `192.0.2.1`; `2001:db8:1:2:3::4` becomes `2001:db8:1:2::/64`. */
export function clientAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, i) => (i < IPV6_PREFIX_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes)}/64`
}

/** Reduces `X-Forwarded-For` to plain addresses, before Express compares them with the trusted proxies. */
export function forwardedAddresses(): RequestHandler {
  return (req, _res, next) => {
    const forwarded = req.headers['x-forwarded-for']
    if (typeof forwarded === 'string') req.headers['x-forwarded-for'] = withoutPorts(forwarded)
    next()
  }
}

/** `withoutPorts('192.0.2.1:5678, [2001:db8::1]:443')` is `192.0.2.1, 2001:db8::1`. */
function withoutPorts(forwarded: string): string {
  return forwarded
    .split(',')
    .map((entry) => entry.trim().replace(WITH_PORT, '$1$2'))
    .join(', ')
}
