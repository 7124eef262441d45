/** The client's address and scheme, as the connection or a trusted proxy states them. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether the headers of that address are trusted; `hop`: how many proxies lie between. */
type Trusts = (address: string | undefined, hop: number) => boolean

/** An entry of `X-Forwarded-For` with a port, which some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:443`, and brackets alone. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

export class TrustedProxies {
  readonly #trusts: Trusts
  /** Clients by connection, computed once. Behind a trusted proxy, each request may come from another client. */
  readonly #clients = new WeakMap<Socket, string>()

  constructor(trusts: Trusts) {
    this.#trusts = trusts
  }

  /** The client's identity for limits: `192.0.2.1`, `2001:db8:1:2::/64`. */
  client({ headers, socket }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) return clientAddress(this.#nearestUntrusted(socket, String(forwarded)))
    const known = this.#clients.get(socket)
    if (known !== undefined) return known
    const client = clientAddress(socket.remoteAddress)
    this.#clients.set(socket, client)
    return client
  }

  /** Whether the request came from this machine, to this machine by name, and through no proxy that identifies itself. */
  isLocal({ headers, socket }: IncomingMessage): boolean {
    const address = socket.remoteAddress ?? ''
    if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false
    return LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined)
  }

  /** The requested host in lower case, since host names ignore case. */
  host(req: IncomingMessage): string {
    return (this.#forwardedHeader(req, 'x-forwarded-host') ?? req.headers.host ?? '').toLowerCase()
  }

  /** Only a trusted proxy can report this: without one, TLS may be terminated in front of the service unnoticed. */
  isPlainHttp(req: IncomingMessage): boolean {
    return this.#forwardedHeader(req, 'x-forwarded-proto') === 'http'
  }

  /** Each proxy appends the address of its client. */
  #nearestUntrusted({ remoteAddress }: Socket, forwarded: string): string | undefined {
    const earlier = forwarded.split(',').map((entry) => entry.trim().replace(WITH_PORT, '$1$2'))
    let address = remoteAddress
    for (let hop = 0; earlier.length > 0 && this.#trusts(address, hop); hop++) address = earlier.pop()
    return address
  }

  /** Returns the first of several values, which the outermost proxy wrote. */
  #forwardedHeader(
    { headers, socket }: IncomingMessage,
    name: 'x-forwarded-host' | 'x-forwarded-proto',
  ): string | undefined {
    const value = headers[name]
    if (!value || !this.#trusts(socket.remoteAddress, 0)) return undefined
    return String(value).split(',', 1)[0]?.trim()
  }
}

const IPV6_PREFIX_BYTES = 8

/** Identifies an IPv6 client by its /64, one household or host: `2001:db8:1:2:3::4` is `2001:db8:1:2::/64`; `::ffff:192.0.2.1` is `192.0.2.1`. */
function clientAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, i) => (i < IPV6_PREFIX_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes)}/64`
}
