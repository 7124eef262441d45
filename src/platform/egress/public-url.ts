/** Parses the URL of a receiver: HTTPS, an allowed port, no credentials. IP addresses are checked here, names when they are resolved. */
import ipaddr from 'ipaddr.js'
import type { AddressRules } from './address-rules.ts'

export interface PublicUrlRules {
  lengthMax: number
  /** 443 is always allowed. */
  ports: readonly number[]
  addresses: AddressRules
}

/** Returns the normalised URL, or the problem as a phrase: `must begin with https://`. */
export function readPublicUrl(text: string, rules: PublicUrlRules): { url: URL } | { problem: string } {
  if (text.length > rules.lengthMax) return { problem: `must be at most ${rules.lengthMax} characters long` }
  if (!URL.canParse(text)) return { problem: 'must be an absolute address such as https://hooks.example.com/energy' }
  const url = new URL(text)
  if (url.protocol !== 'https:') return { problem: 'must begin with https://' }
  if (url.username !== '' || url.password !== '') return { problem: 'must not contain a user name or password' }
  if (url.hash !== '') return { problem: 'must not have a fragment (#…)' }
  const ports = new Set([443, ...rules.ports])
  if (!ports.has(portOf(url))) return { problem: `must use port ${[...ports].join(' or ')}` }
  const host = hostAddress(url)
  const refusal = ipaddr.isValid(host) ? rules.addresses.refusal(host) : undefined
  return refusal === undefined ? { url } : { problem: `must be a public address: ${refusal}` }
}

export function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port)
}

/** Returns the host name, or the address without the brackets of IPv6. */
export function hostAddress(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
