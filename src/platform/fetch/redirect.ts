/** Where a redirect may lead: to the same host, never back from https to http. */
import { SourceUnreachable } from './outcomes.ts'

export const REDIRECTS_MAX = 3
const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return STATUSES.has(status)
}

/** The new address; fails with SourceUnreachable if it is invalid or on another host. */
export function redirectTarget(from: URL, location: string | undefined): URL {
  const refuse = (reason: string) =>
    new SourceUnreachable(`redirects ${reason}, which is not followed`, { retryable: false })
  if (location === undefined || !URL.canParse(location, from)) throw refuse('to no address')
  const to = new URL(location, from)
  if (to.host !== from.host) throw refuse(`to another host (${to.host})`)
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:'
  if (to.protocol !== from.protocol && !isUpgrade) throw refuse(`to ${to.protocol}//${to.host}`)
  if (to.username !== '' || to.password !== '') throw refuse('to an address with credentials')
  return to
}

/** 307 and 308 repeat the request; after the others a form becomes a GET, as every client does. */
export function keepsMethod(status: number): boolean {
  return status === 307 || status === 308
}
