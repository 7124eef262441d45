/** A dispatcher that connects only to allowed addresses. */
import { getCACertificates } from 'node:tls'
import { Agent } from 'undici'
import type { AddressRules } from './address-rules.ts'
import { checkedLookup, type Resolve } from './checked-lookup.ts'

interface PublicDispatcherOptions {
  addresses: AddressRules
  connectTimeoutMs: number
  connectionsPerHost: number
  resolve?: Resolve
  /** Certificates trusted in addition to the default ones, PEM. */
  ca?: string | undefined
}

export function publicDispatcher(options: PublicDispatcherOptions): Agent {
  return new Agent({
    connections: options.connectionsPerHost,
    pipelining: 1,
    connect: {
      timeout: options.connectTimeoutMs,
      lookup: checkedLookup(options.addresses, options.resolve),
      ...(options.ca !== undefined && { ca: [...getCACertificates('default'), options.ca] }),
    },
  })
}
